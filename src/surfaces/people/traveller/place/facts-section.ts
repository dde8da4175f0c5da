import { ownValue } from '../../../../core/input/own-value.ts';
import { html, safeHref, type Html, type HtmlValue } from '../../../../core/text/html.ts';
import type { Facts } from '../../../../directory/place/facts.ts';
import { userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { outsideLink, titledSection } from '../../frame/sections.ts';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import words from '../words.json' with { type: 'json' };

type CodedFact = keyof typeof words.facts;

/** Words for every code of the facts that have a closed set of codes. */
const CODE_WORDS: { readonly [Fact in CodedFact]: Readonly<Record<NonNullable<Facts[Fact]>, string>> } =
  words.facts;

type Row = readonly [term: string, value: HtmlValue];

/** Renders the facts in groups by topic. A group without known facts is left out. */
export function factsSection(facts: Facts, source: string): Html | false {
  const groups = Object.entries(groupsOf(facts))
    .map(([title, rows]) => [title, rows.filter(([, value]) => value !== undefined)] as const)
    .filter(([, rows]) => rows.length > 0);
  if (groups.length === 0) return false;
  const lists = groups.map(
    ([title, rows]) =>
      html`<div>
        <h3>${title}</h3>
        ${definitionList('details', rows)}
      </div>`,
  );
  return titledSection(
    'facts',
    'Good to know',
    html`<div class="fact-groups">${lists}</div>
      <p class="soft">Source: ${source}. Anything not listed is unknown.</p>`,
  );
}

function groupsOf(facts: Facts): Record<string, Row[]> {
  const { fee, charge, stars, rooms, capacity } = facts;
  return {
    Access: [
      ['Wheelchair', word(facts, 'wheelchair')],
      ['Floor', floor(facts.level)],
      ['Dogs', word(facts, 'dogs')],
      ['Smoking', word(facts, 'smoking')],
    ],
    Paying: [
      ['Ways to pay', list(facts.payment)],
      ['Entry', fee === undefined ? text(charge) : fee === 'no' ? 'Free' : text(charge, 'For a fee')],
    ],
    'Eating and drinking': [
      ['Diets', diets(facts)],
      ['Seats outside', word(facts, 'outdoor_seating')],
      ['Reservation', word(facts, 'reservation')],
      ['Takeaway', word(facts, 'takeaway')],
      ['Delivery', word(facts, 'delivery')],
    ],
    'Comfort and size': [
      ['Internet', word(facts, 'internet_access')],
      ['Stars', stars === undefined ? undefined : `${stars}`],
      ['Rooms', rooms === undefined ? undefined : formatNumber(rooms)],
      ['Capacity', capacity === undefined ? undefined : formatNumber(capacity)],
    ],
    'What it is': [
      ['Description', text(facts.description)],
      ['Brand', text(facts.brand)],
      ['Run by', text(facts.operator)],
      ['Religion', religion(facts)],
      ['Heritage', facts.heritage === undefined ? undefined : 'Protected'],
      ['Wikipedia', article(facts.wikipedia)],
      ['Picture', picture(facts.image)],
    ],
  };
}

function word(facts: Facts, fact: CodedFact): HtmlValue {
  const code = facts[fact];
  return code === undefined ? undefined : (ownValue<string>(CODE_WORDS[fact], code) ?? code);
}

function text(value: string | undefined, otherwise?: string): HtmlValue {
  return value === undefined || value === '' ? otherwise : userText(value);
}

/** Maps number the ground floor 0. */
function floor(level: string | undefined): HtmlValue {
  if (level === '0') return 'Ground floor';
  const below = /^-(\d)$/.exec(level ?? '')?.[1];
  return below === undefined ? text(level) : below === '1' ? 'Basement' : `${below} floors below ground`;
}

function list(value: readonly string[] | undefined): HtmlValue {
  if (value === undefined || value.length === 0) return undefined;
  return value.map((one, at) => (at === 0 ? sentenceCase(one) : one.replaceAll('_', ' '))).join(', ');
}

/** Lists diets that everything on offer keeps to ("only") before those for which something is offered. */
function diets({ diets: catered = [], only_diets: only = [] }: Facts): HtmlValue {
  return list([...only.map((diet) => `${diet} only`), ...catered.filter((diet) => !only.includes(diet))]);
}

function religion({ religion: faith, denomination }: Facts): HtmlValue {
  return list([faith, denomination].filter((one) => one !== undefined));
}

/** Links a Wikipedia article, which maps write as language and title: en:Monaco Cathedral. */
function article(value: string | undefined): HtmlValue {
  const [, language, title] = /^([a-z-]{2,12}):(.+)$/.exec(value ?? '') ?? [];
  if (language === undefined || title === undefined) return undefined;
  const href = `https://${language}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`;
  return outsideLink('tall', href, userText(title));
}

function picture(value: string | undefined): HtmlValue {
  const href = value === undefined ? null : safeHref(value);
  if (href === null || !URL.canParse(href)) return undefined;
  return outsideLink('tall', href, userText(new URL(href).hostname));
}
