import { readFileSync } from 'node:fs';

const BROWSER = new URL('browser/', import.meta.url);
const TOKENS = new URL('../people/assets/site/tokens.css', import.meta.url);

const IMPORT = /^import [^;]* from '(.+)';$/gm;
/** What only readers of the source need. A comment begins its line, and no text of ours goes over several lines. */
const FOR_READERS = /^\s*(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)$|^\s+/gm;

/** What a view is made of, and what it is told of the service that made it. */
export interface ViewParts {
  title: string;
  script: string;
  styles: readonly string[];
  setup: Record<string, unknown>;
}

/** A view as one text: hosts show it where it can load nothing of its own but what it declares. */
export function viewHtml({ title, script, styles, setup }: ViewParts): string {
  const style = [tokens(), ...styles.map((name) => read(new URL(`styles/${name}.css`, BROWSER)))]
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\/|^\s+/gm, '');
  // In JSON every < can be written so, and none then ends the element.
  const told = JSON.stringify(setup).replaceAll('<', '\\u003c');
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
<script type="application/json" id="setup">${told}</script>
<script type="module">
${join(new URL(`${script}.js`, BROWSER))}</script>
</body>
</html>
`;
}

/** A script with all that it imports before it, in one scope: a frame without an address can load no module. */
function join(file: URL, joined = new Set<string>()): string {
  if (joined.has(file.href)) return '';
  joined.add(file.href);
  const text = read(file);
  const needed = [...text.matchAll(IMPORT)].map(([, path = '']) => join(new URL(path, file), joined));
  const own = text
    .replaceAll(IMPORT, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(FOR_READERS, '');
  return needed.join('') + own;
}

/** The colours and sizes of all pages. A host says which theme it has; before it does, the system's counts. */
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
