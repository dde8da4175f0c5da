import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, Html, join, raw, safeHref } from '../../src/core/text/html.ts';

test('A string or number between the quotes of an attribute or in text is escaped', () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;';
  assert.equal(html`<p title="${hostile}">${hostile}</p>`.toString(), `<p title="${escaped}">${escaped}</p>`);
  assert.equal(html`${0} ${-1.5} ${10n}`.toString(), '0 -1.5 10');
});

test('Nested markup and lists of it pass through unchanged, and lists of strings are escaped one by one', () => {
  const items = ['a', '<b>'].map((name) => html`<i>${name}</i>`);
  assert.equal(html`<b>${items}</b>`.toString(), '<b><i>a</i><i>&lt;b&gt;</i></b>');
  assert.equal(html`${['<', ['>', html`<i></i>`]]}`.toString(), '&lt;&gt;<i></i>');
});

test('Null, undefined and booleans render nothing, and zero and the empty string stay what they are', () => {
  assert.equal(html`[${null}${undefined}${false}${true}${''}${0}]`.toString(), '[0]');
});

test('Only the template and raw make markup: an object that looks like it is not trusted', () => {
  assert.ok(html`<b></b>` instanceof Html);
  assert.equal(html`${raw('<b>')}`.toString(), '<b>');
  const forged = { toString: () => '<script>' } as unknown as Html;
  assert.throws(() => html`${forged}`);
});

test('Joining escapes the pieces and the separator', () => {
  assert.equal(join(['a', html`<b></b>`, '<'], ' & ').toString(), 'a &amp; <b></b> &amp; &lt;');
});

test('An interpolation in an attribute without quotes is refused, whatever the value', () => {
  assert.throws(() => html`<p class=${'a'}></p>`, /double quotes/);
  assert.throws(() => html`<p title="${'a'}" class=${'b'}></p>`, /double quotes/);
  assert.throws(() => html` class=${'b'}`, /double quotes/);
  assert.equal(html`<p>a = ${'b'}</p>`.toString(), '<p>a = b</p>');
});

test('Web, mail, phone and site-relative addresses pass the address guard', () => {
  const allowed = [
    'https://example.com/a?b=c#d',
    'HTTP://example.com',
    'mailto:desk@example.com',
    'tel:+351210000000',
    '/d/lisbon',
    '/',
    '#europe',
    '?q=a',
  ];
  for (const url of allowed) assert.equal(safeHref(url), url);
});

test('Script, data and disguised addresses do not pass the address guard', () => {
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://',
    'blob:https://example.com/x',
    'relative/path',
    '',
  ];
  for (const url of refused) assert.equal(safeHref(url), null, JSON.stringify(url));
  assert.equal(html`<a href="${safeHref('javascript:alert(1)')}">x</a>`.toString(), '<a href="">x</a>');
});
