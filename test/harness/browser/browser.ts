import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import { keep } from '../runner/kept.ts';
import { LONG } from '../tier.ts';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { PATIENCE_MS } from '../patience.ts';

// Each window would load an address bar with suggestions, a second of CPU. The rest is what Playwright turns off itself:
// only the last list counts.
const IDLE_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${IDLE_FEATURES.join()}`,
];

export const VIEWS = [
  { name: 'phone light', width: 390, height: 844, scheme: 'light', touch: true },
  { name: 'phone dark', width: 390, height: 844, scheme: 'dark', touch: true },
  { name: 'desktop light', width: 1280, height: 900, scheme: 'light', touch: false },
  { name: 'desktop dark', width: 1280, height: 900, scheme: 'dark', touch: false },
] as const;
export type View = (typeof VIEWS)[number];

/** A phone in `npm test`; every look in the long tier and when taking screenshots. */
export const LOOKS: readonly View[] = LONG || process.env['SCREENSHOTS'] ? VIEWS : [VIEWS[0]];

/** A phone in light colours, and in the long tier a desk in dark ones too. */
export const TWO_LOOKS: readonly View[] = LOOKS.filter((_, at) => at % 3 === 0);

/** The reason to skip browser tests here, or false. In CI the runner has already refused to start without a browser. */
export const noBrowser: string | false = process.env['TEST_CHROMIUM'] ? false : 'no Chromium on this machine';

export interface Visit {
  page: Page;
  /** Faults of the page: errors, refused loads, requests to other hosts. */
  faults: string[];
  context: BrowserContext;
}

/** One program for all files of a process. Each visit has cookies, storage and a cache of its own, which go with it. */
const openProgram = () => {
  const executablePath = process.env['TEST_CHROMIUM'] ?? '';
  return keep(
    'browser',
    () => chromium.launch({ executablePath, args: FLAGS }),
    (program) => program.close(),
  );
};

/** Opens a browser with an empty profile, as a first-time visitor has it. */
export async function openBrowser(
  origin: string,
  view: View,
  options: { script?: boolean } = {},
): Promise<Visit> {
  const program = await openProgram();
  const context = await program.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.scheme,
    hasTouch: view.touch,
    javaScriptEnabled: options.script ?? true,
    // The Chromium without windows prefers no language of its own.
    locale: 'en-US',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  after(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) faults.push(`foreign request: ${url}`);
  });
  return { page, faults, context };
}

/** Checks that hold for every page: no sideways scrolling, no failed load, one heading, the attribution. */
export async function assertSoundPage({ page, faults }: Visit): Promise<void> {
  assert.deepEqual(faults, []);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(overflow, 0, 'the page is wider than the window');
  assert.equal(await page.locator('h1').count(), 1);
  assert.match(await page.locator('footer').innerText(), /OpenStreetMap contributors \(ODbL\)/);
}

/** Saves a picture for a person to look at, when SCREENSHOTS names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder)
    await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), fullPage: true });
}
