import { html, type Html, type HtmlValue } from '../../../core/text/html.ts';
import { cutTyped } from '../../../core/text/visible-text.ts';
import { isDay } from '../../../core/time.ts';
import { choiceField, textField } from '../form/form-field.ts';
import { emptyState } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable, type RecordColumn } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { allStaff, type Staff } from '../person/people.ts';

export const LIST_PAGE_SIZE = 50;
const TEXT_MAX = 120;

type Choices<Value extends string = string> = readonly (readonly [value: Value | '', label: string])[];

/** Filter of a list: a text, a day, or one of several choices. */
interface Filter {
  /** Label in the form. A filter without one is set only by links. */
  label?: string;
  type?: 'search' | 'date';
  maxlength?: number;
  autofocus?: boolean;
  choices?: Choices;
}

type Filters = Readonly<Record<string, Filter>>;

/** Values of the filters that are set. */
type FilterValues<Declared extends Filters> = {
  [Name in keyof Declared]?:
    (Declared[Name] extends { choices: Choices<infer Value> } ? Exclude<Value, ''> : string) | undefined;
};

/** Returns the choices of a filter: all, or one of the values. */
export function choicesAmong<const Value extends string>(
  values: readonly Value[],
  all = 'All',
): Choices<Value> {
  return [['', all], ...values.map((value) => [value, sentenceCase(value)] as const)];
}

/** Reads the filters from the query. Empty and invalid values are left out. */
export function readFilters<const Declared extends Filters>(
  query: URLSearchParams,
  filters: Declared,
): FilterValues<Declared> {
  const values = Object.entries(filters).map(([name, { type, choices, maxlength = TEXT_MAX }]) => {
    const value = cutTyped((query.get(name) ?? '').trim(), maxlength);
    const isValid =
      type === 'date' ? isDay(value) : choices === undefined || choices.some(([choice]) => choice === value);
    return [name, isValid && value !== '' ? value : undefined];
  });
  return Object.fromEntries(values) as FilterValues<Declared>;
}

export function hasFilters(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/**
 * Renders the form with the filters of a list. A search is always open; other filters are folded on a phone while none
 * is set, and open without JavaScript: the form follows an empty `details`.
 */
export function filterForm(
  path: string,
  filters: Filters,
  values: Readonly<Record<string, string | undefined>>,
  { button = 'Filter', role }: { button?: string; role?: 'search' } = {},
): Html {
  return html`${
      role === undefined &&
      html`<details class="filter-switch" ${hasFilters(values) && html` open`}>
        <summary>${button}</summary>
      </details>`
    }
    <form class="filters" method="get" action="${path}" ${role && html` role="${role}"`}>
      ${Object.entries(filters).map(([name, { label, choices, ...filter }]) => {
        if (label === undefined) return false;
        const value = values[name] ?? '';
        return choices === undefined
          ? textField({ name, label, value, ...filter })
          : choiceField({ name, label, value, choices });
      })}
      <button class="button plain" type="submit">${button}</button>
    </form>`;
}

/** Cuts rows, of which one more than a page was read, to a page. `next` is the key of the page that follows. */
export function pageOf<Row>(rows: readonly Row[], size: number, keyOf: (row: Row) => string) {
  const visible = rows.slice(0, size);
  const last = visible.at(-1);
  return { visible, next: rows.length > size && last !== undefined ? keyOf(last) : undefined };
}

/** A list of records with filters, a page at a time. */
interface ListPage<Row, Declared extends Filters> {
  title: string;
  path: string;
  /** Keyboard shortcut. */
  key: string;
  lead: string;
  filters: (person: Staff) => Declared;
  role?: 'search';
  /** Topic of the list, so that an open page keeps itself up to date. */
  follows?: string;
  /** Query parameter with the key of the last row of the page before. */
  cursor: 'after' | 'before';
  list: (
    req: PageRequest<Staff>,
    filter: FilterValues<Declared>,
    page: { cursor: string | undefined; limit: number },
  ) => Promise<readonly Row[]>;
  keyOf: (row: Row) => string;
  columns: (req: PageRequest<Staff>) => readonly (RecordColumn<Row> | false)[];
  /** Texts for an empty list: when no filter is set, and when nothing matches the filters. */
  empty: HtmlValue;
  noMatch: HtmlValue;
  /** Label of the link to the next page. */
  more: string;
}

/** A list by id, the newest first. */
export const newestFirst = {
  cursor: 'after',
  keyOf: ({ id }: { id: string }) => id,
  more: `Next ${LIST_PAGE_SIZE}`,
} as const;

/** Declares a list page for all staff. */
export function listPage<Row, const Declared extends Filters>(list: ListPage<Row, Declared>) {
  const { title, path, key, lead, filters, role, cursor, keyOf, columns, empty, noMatch, more } = list;
  return definePage({
    path,
    who: allStaff,
    nav: { label: title, key },
    ...(list.follows !== undefined && { follows: () => [list.follows ?? ''] }),
    async load(req) {
      const filter = readFilters(req.query, filters(req.person));
      const page = { cursor: req.query.get(cursor) ?? undefined, limit: LIST_PAGE_SIZE + 1 };
      return { filter, ...pageOf(await list.list(req, filter, page), LIST_PAGE_SIZE, keyOf) };
    },
    view: (req, { filter, visible, next }) => ({
      title,
      lead,
      body: html`${filterForm(path, filters(req.person), filter, { button: 'Find', ...(role && { role }) })}
      ${
        visible.length > 0
          ? recordTable('dense stack rows', visible, columns(req))
          : emptyState(`No ${title.toLowerCase()}`, hasFilters(filter) ? noMatch : empty)
      }
      ${nextPage(path, next && { ...filter, [cursor]: next }, more)}`,
    }),
  });
}
