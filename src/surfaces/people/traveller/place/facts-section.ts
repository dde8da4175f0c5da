import { html, safeHref, type Html, type HtmlValue } from '../../../../core/text/html.ts';
import type { Facts } from '../../../../directory/place/facts.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';

type FactWords<Member extends keyof Facts> = Readonly<Record<NonNullable<Facts[Member]> & string, string>>;

const WHEELCHAIR: FactWords<'wheelchair'> = {
  yes: 'Accessible',
  designated: 'Made for wheelchairs',
  limited: 'Accessible in part',
  no: 'Not accessible',
};
const INTERNET: FactWords<'internet_access'> = {
  free: 'Free for guests',
  paid: 'For a fee',
  yes: 'Yes',
  no: 'None',
};
const SMOKING: FactWords<'smoking'> = {
  yes: 'Allowed',
  no: 'Not allowed',
  outside: 'Outside only',
  separated: 'In a separate area',
  isolated: 'In a separate room',
  dedicated: 'Made for smokers',
};
const RESERVATION: FactWords<'reservation'> = {
  yes: 'Possible',
  no: 'Not accepted',
  recommended: 'Recommended',
  required: 'Required',
  members_only: 'For members only',
};
const DOGS: FactWords<'dogs'> = {
  yes: 'Welcome',
  no: 'Not allowed',
  leashed: 'On a leash',
  outside: 'Outside only',
};
const SERVICE: FactWords<'takeaway'> = { yes: 'Yes', no: 'No', only: 'Nothing else' };
const OUTDOOR_SEATING: FactWords<'outdoor_seating'> = { yes: 'Yes', no: 'No' };

type Row = readonly [term: string, value: HtmlValue];

/** Renders the facts in groups by topic. A group without known facts is left out. */
export function factsSection(facts: Facts, source: string): Html | false {
  const groups = groupsOf(facts)
    .map(([title, rows]) => [title, rows.filter(([, value]) => value !== undefined)] as const)
    .filter(([, rows]) => rows.length > 0);
  if (groups.length === 0) return false;
  return html`<section aria-labelledby="facts-title">
    <h2 id="facts-title">Good to know</h2>
    <div class="fact-groups">
      ${groups.map(
        ([title, rows]) =>
          html`<div>
            <h3>${title}</h3>
            ${definitionList('details', rows)}
          </div>`,
      )}
    </div>
    <p class="soft">Source: ${source}. Anything not listed is unknown.</p>
  </section>`;
}

function groupsOf(facts: Facts): [string, Row[]][] {
  const { fee, charge, stars, rooms, capacity } = facts;
  return [
    [
      'Access',
      [
        ['Wheelchair', word(WHEELCHAIR, facts.wheelchair)],
        ['Floor', floor(facts.level)],
        ['Dogs', word(DOGS, facts.dogs)],
        ['Smoking', word(SMOKING, facts.smoking)],
      ],
    ],
    [
      'Paying',
      [
        ['Ways to pay', list(facts.payment)],
        ['Entry', fee === undefined ? text(charge) : fee === 'no' ? 'Free' : text(charge, 'For a fee')],
      ],
    ],
    [
      'Eating and drinking',
      [
        ['Diets', diets(facts)],
        ['Seats outside', word(OUTDOOR_SEATING, facts.outdoor_seating)],
        ['Reservation', word(RESERVATION, facts.reservation)],
        ['Takeaway', word(SERVICE, facts.takeaway)],
        ['Delivery', word(SERVICE, facts.delivery)],
      ],
    ],
    [
      'Comfort and size',
      [
        ['Internet', word(INTERNET, facts.internet_access)],
        ['Stars', stars === undefined ? undefined : `${stars}`],
        ['Rooms', rooms === undefined ? undefined : formatNumber(rooms)],
        ['Capacity', capacity === undefined ? undefined : formatNumber(capacity)],
      ],
    ],
    [
      'What it is',
      [
        ['Description', text(facts.description)],
        ['Brand', text(facts.brand)],
        ['Run by', text(facts.operator)],
        ['Religion', religion(facts)],
        ['Heritage', facts.heritage === undefined ? undefined : 'Protected'],
        ['Postcode', text(facts.postcode)],
        ['Wikipedia', article(facts.wikipedia)],
        ['Picture', picture(facts.image)],
      ],
    ],
  ];
}

function word(words: Readonly<Record<string, string>>, value: string | undefined): HtmlValue {
  return value === undefined ? undefined : (words[value] ?? value);
}

function text(value: string | undefined, otherwise?: string): HtmlValue {
  return value === undefined || value === '' ? otherwise : html`<bdi>${value}</bdi>`;
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
  return html`<a class="tall" href="${href}" rel="nofollow noopener"><bdi>${title}</bdi></a>`;
}

function picture(value: string | undefined): HtmlValue {
  const href = value === undefined ? null : safeHref(value);
  if (href === null || !URL.canParse(href)) return undefined;
  return html`<a class="tall" href="${href}" rel="nofollow noopener"
    ><bdi>${new URL(href).hostname}</bdi></a
  >`;
}
