import { readFileSync } from 'node:fs';

const BROWSER = new URL('browser/', import.meta.url);
const TOKENS = new URL('../people/assets/site/tokens.css', import.meta.url);

const IMPORT = /^import [^;]* from '(.+)';$/gm;
/**
 * Comments and indentation, which are stripped. A comment begins its line, and no string of ours spans several lines.
 */
const STRIPPED = /^\s*(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)$|^\s+/gm;

/** Source files of a view, and the settings that it receives from the service. */
export interface ViewParts {
  title: string;
  script: string;
  styles: readonly string[];
  setup: Record<string, unknown>;
}

/** Builds a view as a single document: hosts show it where it can load nothing but what it declares. */
export function viewHtml({ title, script, styles, setup }: ViewParts): string {
  const style = [tokens(), ...styles.map((name) => read(new URL(`styles/${name}.css`, BROWSER)))]
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\/|^\s+/gm, '');
  // In JSON every < can be escaped, so that none ends the element.
  const setupJson = JSON.stringify(setup).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${style}</style>
</head>
<body>
<main></main>
<script type="application/json" id="setup">${setupJson}</script>
<script type="module">
${join(new URL(`${script}.js`, BROWSER))}</script>
</body>
</html>
`;
}

/** Bundles a script with all its imports into one scope: a frame without an address cannot load modules. */
function join(file: URL, seen = new Set<string>()): string {
  if (seen.has(file.href)) return '';
  seen.add(file.href);
  const text = read(file);
  const needed = [...text.matchAll(IMPORT)].map(([, path = '']) => join(new URL(path, file), seen));
  const own = text
    .replaceAll(IMPORT, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(STRIPPED, '');
  return needed.join('') + own;
}

/** The design tokens of all pages. The host sets the theme; until then, the system's theme applies. */
function tokens(): string {
  const text = read(TOKENS).replaceAll(/@font-face \{[^}]*\}/g, '');
  const dark = /@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/.exec(text);
  if (dark === null) throw new Error('The tokens have no dark theme.');
  return text.replace(
    dark[0],
    `@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) {${dark[1] ?? ''}} }
:root[data-theme='dark'] { color-scheme: dark; ${dark[1] ?? ''}}
:root[data-theme='light'] { color-scheme: light; }`,
  );
}

function read(file: URL): string {
  return readFileSync(file, 'utf8');
}
