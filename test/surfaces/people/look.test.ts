import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assetWeight } from '../../../src/surfaces/people/assets.ts';
import { everyPage } from './sample-pages.ts';
import { contrast, readTokens, type Tokens } from './tokens.ts';

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;
/** The tokens of pages and the palette of the drawings are the only places for colours. */
const PALETTES = new Set(['site/tokens.css', 'illustrations/palette.css']);
const WEIGHT_MAX = 120_000;

describe('colour', () => {
  const themes = readTokens();
  const TEXT_ON: Record<string, string[]> = {
    paper: ['ink', 'ink-soft', 'good', 'warn', 'bad'],
    sheet: ['ink', 'ink-soft', 'good', 'warn', 'bad'],
    well: ['ink', 'ink-soft'],
    sea: ['ink', 'ink-soft'],
    sign: ['on-sign'],
    'sign-strong': ['on-sign'],
    'good-well': ['good'],
    'warn-well': ['warn'],
    'bad-well': ['bad'],
    'code-paper': ['code-ink', 'code-soft', 'code-key', 'code-text', 'code-value'],
  };
  const SHAPES_ON: Record<string, string[]> = {
    paper: ['edge', 'sign-line', 'ink'],
    sheet: ['edge', 'sign-line'],
    sign: ['on-sign'],
  };

  for (const [theme, tokens] of Object.entries(themes)) {
    test(`Text has a contrast of at least 4.5 : 1 in the ${theme} theme`, () => {
      assertContrast(tokens, TEXT_ON, 4.5);
    });

    test(`Edges of fields, underlines and rings have a contrast of at least 3 : 1 in the ${theme} theme`, () => {
      assertContrast(tokens, SHAPES_ON, 3);
    });
  }

  test('Every colour that dark changes is a colour that light has', () => {
    const light = Object.keys(themes.light);
    assert.deepEqual(
      Object.keys(themes.dark).filter((name) => !light.includes(name)),
      [],
    );
  });

  test('No rule outside the tokens names a colour of its own', () => {
    const folder = new URL('../../../src/surfaces/people/assets/', import.meta.url);
    for (const file of globSync('*/*.css', { cwd: folder }).filter((name) => !PALETTES.has(name))) {
      const rules = readFileSync(new URL(file, folder), 'utf8').replace(/\/\*[^]*?\*\//g, '');
      assert.doesNotMatch(rules, /:[^;{]*(?:#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(|\boklch\()/i, file);
    }
  });
});

function assertContrast(tokens: Tokens, pairs: Record<string, string[]>, least: number): void {
  for (const [background, foregrounds] of Object.entries(pairs)) {
    for (const foreground of foregrounds) {
      const ratio = contrast(tokens, foreground, background);
      assert.ok(ratio >= least, `${foreground} on ${background} is ${ratio.toFixed(2)} : 1`);
    }
  }
}

describe('weight', () => {
  const shared = (
    ['waypost.css', 'waypost.js', 'results-map.js', 'favicon.svg', 'display-latin.woff2'] as const
  )
    .map(assetWeight)
    .reduce((sum, weight) => sum + weight);
  // The other subsets are fetched only when a heading needs one of their letters.
  const subsets = assetWeight('display-latin-ext.woff2') + assetWeight('display-vietnamese.woff2');

  for (const [name, markup] of Object.entries(everyPage())) {
    test(`The ${name} page with all that it loads stays below 120 kB`, () => {
      const weight = gzipSync(markup).length + shared + subsets;
      assert.ok(weight < WEIGHT_MAX, `${weight} bytes`);
    });
  }
});

describe('every page', () => {
  for (const [name, markup] of Object.entries(everyPage())) {
    test(`The ${name} page has no inline script, style or handler and asks no other host for anything`, () => {
      // Blocks of data are never run, so that the policy of the pages lets them be.
      const run = markup.replace(/<script type="application\/(?:ld\+)?json">[^<]*<\/script>/g, '');
      assert.doesNotMatch(run, /<style|\sstyle=|<script(?![^>]*\ssrc="\/assets\/)[^>]*>|\son\w+=/i);
      const loaded = [...markup.matchAll(/<(?:link|script|img|use)\b[^>]*?(?:href|src)="([^"]*)"[^>]*>/g)];
      for (const [tag, url = ''] of loaded) {
        if (!/rel="(?:canonical|alternate)"/.test(tag)) assert.match(url, /^[/#]/, tag);
      }
    });

    test(`The ${name} page has its language, title, landmarks, one main heading and the attribution`, () => {
      assert.match(markup, /<html lang="en">/);
      assert.match(markup, /<title>[^<]+<\/title>/);
      assert.match(markup, /<meta name="viewport" content="width=device-width, initial-scale=1"/);
      for (const landmark of ['<header', '<main id="main"', '<footer']) {
        assert.equal(
          markup.split(landmark).length,
          landmark === '<header' && name.startsWith('docs') ? 3 : 2,
          landmark,
        );
      }
      assert.match(markup, /<a class="skip unseen" href="#(?:main|results)">/);
      assert.equal(markup.split('<h1').length, 2);
      assert.match(markup, /class="attribution"/);
      assert.match(markup, /Demonstration data:<\/strong>\s+the venues here are fictional\./);
    });

    test(`The ${name} page uses no identifier twice, and its links within the page lead somewhere`, () => {
      const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const [, target = ''] of markup.matchAll(/href="#([^"]+)"/g))
        assert.ok(ids.includes(target), target);
      for (const [, target = ''] of markup.matchAll(/aria-labelledby="([^"]+)"/g))
        assert.ok(ids.includes(target), target);
    });
  }

  for (const [name, markup] of Object.entries(everyPage(HOSTILE))) {
    test(`The ${name} page shows a hostile name as text and makes no address of it`, () => {
      assert.doesNotMatch(markup, /<script>|<img src=x|href="javascript:/i);
      assert.ok(markup.includes('&lt;script&gt;'));
    });
  }
});
