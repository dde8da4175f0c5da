import { html, raw, safeHref, type Html } from '../../../core/text/html.ts';
import { assetUrl, type AssetName } from '../assets.ts';

/** Facts about the service that every page shows. */
export interface Site {
  /** Prefix of the names of keys, scopes and tools, such as svc. */
  prefix: string;
  serviceName: string;
  providerName: string;
  baseUrl: string;
  partnerUrl: string;
  attribution: { text: string; links: { name: string; url: string }[] };
  demo: boolean;
  /** True while there are no places. */
  empty: boolean;
  /** Destinations of a demonstration that have real places. */
  samples: readonly string[];
  /** True when charges are test payments. */
  testPayments: boolean;
}

export interface NavItem {
  href: string;
  label: string;
}

/** Texts of the frame: names of both navigations, and the links of the footer, which lead to English pages. */
export interface FrameLabels {
  nav: string;
  footer: string;
  links: readonly NavItem[];
}

interface PageModel {
  site: Site;
  /** Language of title and body when it is not English; without labels the frame around them stays English. */
  lang?: string;
  direction?: 'ltr' | 'rtl';
  /** The skip link: its text, in that language, and the id it leads to. */
  skip?: { text: string; target: string } | undefined;
  title: string;
  description: string;
  body: Html;
  /** URL of the main navigation item this page belongs to. */
  current?: string;
  /** Path for the canonical link; absent on pages without a URL of their own. */
  canonical?: string;
  /** Path of the picture that messengers show for the page; that of the service by default. */
  picture?: { path: string; alt: string };
  /** Languages in which the same page shows names, by the parameter `lang`. */
  nameLanguages?: readonly string[];
  /** Body class for pages whose frame is wider or denser than the traveller pages. */
  frame?: 'reference' | 'console';
  /** Replaces the main navigation, for the console and other pages behind a sign-in. */
  nav?: readonly NavItem[];
  /** Shown beside the main navigation. */
  tools?: Html;
  /** Texts of the frame in the page's language; without them it is in English. */
  labels?: FrameLabels;
  /** False keeps the page out of search engines. */
  indexed?: boolean;
  /** Stylesheets that only this page needs, loaded after the common one. */
  styles?: readonly AssetName[];
  /** Scripts that only this page needs, loaded as modules. */
  scripts?: readonly AssetName[];
  /** When the data of a page that keeps itself up to date was read; `follow` is the page whose stream it uses. */
  live?: { since: number; follow?: string } | undefined;
  /** Structured data for programs, in schema.org vocabulary. */
  linkedData?: object;
}

/** Few, because the first result of a search is at most six presses of the Tab key away. */
const TRAVELLER_NAV: readonly NavItem[] = [{ href: '/member/tables', label: 'Your tables' }];
const REFERENCE_NAV: readonly NavItem[] = [{ href: '/docs', label: 'API' }];

const SKIP = { text: 'Skip to the content', target: 'main' };

/** Renders the whole document around a page body. */
export function page(model: PageModel): string {
  const { site, lang = 'en', direction = 'ltr', skip = SKIP } = model;
  return html`<!doctype html>
    <html ${direction === 'rtl' ? html`lang="${lang}" dir="rtl"` : html`lang="${lang}"`}>
      ${head(model)}
      <body ${model.frame !== undefined && html` class="${model.frame}"`}>
        <a class="skip unseen" href="#${skip.target}">${skip.text}</a>
        <header class="masthead" ${model.labels === undefined && html` lang="en"`}>
          <div class="wrap">
            <a class="brand" href="/">${LOGO}${site.serviceName}</a>
            ${navigation(model.nav ?? (model.frame === 'reference' ? REFERENCE_NAV : TRAVELLER_NAV), model)}
            ${model.tools}
          </div>
        </header>
        ${banner({ ...site, empty: site.empty && leadsToSetUp(model) })}
        <main id="main" ${model.live !== undefined && liveData(model.live)}>${model.body}</main>
        ${colophon(site, model)}
      </body>
    </html> `.toString();
}

/** True for pages that an empty installation leads from to its set-up: all but those for one signed-in person. */
function leadsToSetUp({ nav, current, frame }: PageModel): boolean {
  return nav === undefined || current === undefined || frame === 'console';
}

function liveData({ since, follow }: NonNullable<PageModel['live']>): Html {
  return html` data-live="${since}" ${follow !== undefined && html` data-follow="${safeHref(follow)}"`}`;
}

function head(model: PageModel): Html {
  const { site, title, description, canonical, indexed, styles = [], linkedData } = model;
  const scripts = [...(model.live === undefined ? [] : (['live.js'] as const)), ...(model.scripts ?? [])];
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title === site.serviceName ? title : `${title} · ${site.serviceName}`}</title>
    <meta name="description" content="${description}" />
    ${indexed === false && html`<meta name="robots" content="noindex" />`}
    <link rel="preload" href="${assetUrl('display-latin.woff2')}" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="${assetUrl('waypost.css')}" />
    ${styles.map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}" />`)}
    <script type="module" src="${assetUrl('waypost.js')}"></script>
    ${scripts.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}
    <link rel="icon" type="image/svg+xml" href="${assetUrl('favicon.svg')}" />
    ${canonical !== undefined && alternates(model, site.baseUrl + canonical)}
    ${canonical !== undefined && sharingMetadata(model, site.baseUrl + canonical)}
    ${linkedData !== undefined && dataBlock('application/ld+json', linkedData)}
  </head>`;
}

/** Tells search engines the addresses of the page with names in other languages. */
function alternates({ nameLanguages = [], indexed }: PageModel, url: string): Html | false {
  if (nameLanguages.length === 0 || indexed === false) return false;
  const [page = ''] = url.split('?');
  const link = (language: string, href: string) =>
    html`<link rel="alternate" hreflang="${language}" href="${safeHref(href)}" />`;
  return html`${link('x-default', page)}${nameLanguages.map((one) => link(one, `${page}?lang=${one}`))}`;
}

/** Metadata that other sites and messengers show when somebody shares the URL. */
function sharingMetadata({ site, title, description, picture }: PageModel, url: string): Html {
  const { path, alt } = picture ?? {
    path: assetUrl('share.png'),
    alt: `A signpost, the mark of ${site.serviceName}`,
  };
  return html`<link rel="canonical" href="${safeHref(url)}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${site.serviceName}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${safeHref(url)}" />
    <meta property="og:image" content="${safeHref(site.baseUrl + path)}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/**
 * Embeds data for a script or a program. It is never executed, and because `<`, `>` and `&` are escaped it cannot close
 * the element early.
 */
export function dataBlock(type: 'application/json' | 'application/ld+json', value: unknown): Html {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return raw(`<script type="${type}">${text}</script>`);
}

function navigation(
  items: readonly NavItem[],
  { current, labels }: Pick<PageModel, 'current' | 'labels'>,
): Html | false {
  if (items.length === 0) return false;
  return html`<nav aria-label="${labels?.nav ?? 'Main'}">
    <ul>
      ${items.map(
        ({ href, label }) =>
          html`<li>
            <a href="${safeHref(href)}" ${href === current && html` aria-current="page"`}>${label}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

const LOGO = raw(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="post" d="M14.5 31V2.5L16 1l1.5 1.5V31z"/>' +
    '<path class="arm" d="M5.5 5h17l5 4.25-5 4.25h-17zM26.5 16h-17l-5 4.25 5 4.25h17z"/></svg>',
);

/** Warns visitors that the venues are fictional, that there are none yet, or that payments are not real. */
function banner({ demo, empty, samples, testPayments }: Site): Html | false {
  if (!demo && !empty && !testPayments) return false;
  const venues =
    samples.length === 0
      ? 'the venues here are fictional.'
      : `the venues are fictional, except in ${samples.join(', ')}. Real ones are never contacted.`;
  return html`<aside class="banner" lang="en" aria-label="Notice">
    <div class="wrap">
      <p>
        ${demo && html`<strong>Demonstration data:</strong> ${venues}`}
        ${empty && html`<strong>No places yet.</strong> <a href="/console/set-up">Set up this installation</a>`}
        ${testPayments && html`<strong>Test payments:</strong> no money moves.`}
      </p>
    </div>
  </aside>`;
}

const ABOUT_LINKS: readonly NavItem[] = [
  { href: '/member', label: 'Members' },
  { href: '/venue', label: 'Venues' },
  { href: '/partner', label: 'Partners' },
];
const PROGRAM_LINKS: readonly NavItem[] = [
  { href: '/docs', label: 'API reference' },
  { href: '/openapi.json', label: 'openapi.json' },
  { href: '/llms.txt', label: 'llms.txt' },
];
const RULE_LINKS: readonly NavItem[] = [
  { href: '/docs/rules#attribution', label: 'Using the data' },
  { href: '/closures', label: 'Closures' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/terms', label: 'Terms' },
  { href: '/support', label: 'Support' },
];

/** Renders the footer. The pages of venues, members and staff have no links for programmers. */
function colophon(site: Site, { nav, labels }: Pick<PageModel, 'nav' | 'labels'>): Html {
  const links = labels?.links ?? [...ABOUT_LINKS, ...(nav === undefined ? PROGRAM_LINKS : []), ...RULE_LINKS];
  const isEnglish = labels === undefined;
  return html`<footer class="colophon" ${isEnglish && html` lang="en"`}>
    <div class="wrap">
      <p class="attribution" ${!isEnglish && html` lang="en" dir="ltr"`}>${attributionLine(site)}</p>
      <nav aria-label="${labels?.footer ?? 'About'}">
        <ul>
          ${links.map(({ href, label }) => html`<li><a href="${safeHref(href)}" ${!isEnglish && html` hreflang="en"`}>${label}</a></li>`)}
        </ul>
      </nav>
    </div>
  </footer>`;
}

/** Renders the attribution text. Each source is linked where the text names it, or after the text when it does not. */
function attributionLine({ attribution }: Site): Html {
  let pieces: (Html | string)[] = [attribution.text];
  for (const link of attribution.links) {
    const anchor = html`<a href="${safeHref(link.url)}">${link.name}</a>`;
    const at = pieces.findIndex((piece) => typeof piece === 'string' && piece.includes(link.name));
    const text = pieces[at];
    if (typeof text !== 'string') {
      pieces.push(html` ${anchor}`);
      continue;
    }
    const start = text.indexOf(link.name);
    const parts = [text.slice(0, start), anchor, text.slice(start + link.name.length)];
    pieces = [...pieces.slice(0, at), ...parts, ...pieces.slice(at + 1)];
  }
  return html`${pieces}`;
}
