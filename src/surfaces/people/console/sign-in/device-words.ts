/** Those that name others for the sake of old pages come before the ones that they name. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const SHOWN_MAX = 80;

/** The device of a session as its owner would call it: Chrome on Linux. What no browser says is shown as it is. */
export function deviceWords(userAgent: string): string {
  const known = (signs: typeof BROWSERS) => signs.find(([sign]) => sign.test(userAgent))?.[1];
  const [browser, system] = [known(BROWSERS), known(SYSTEMS)];
  if (browser === undefined) return userAgent.slice(0, SHOWN_MAX) || 'unknown program';
  return system === undefined ? browser : `${browser} on ${system}`;
}
