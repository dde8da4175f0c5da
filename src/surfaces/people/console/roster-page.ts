import type { Db } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { cutTyped } from '../../../core/text/visible-text.ts';
import { filterField, textField } from '../form/form-field.ts';
import { nextPage } from '../frame/next-page.ts';
import { definePage } from '../person/page.ts';
import { ALL_ROLES, staff } from '../person/people.ts';

const PAGE_SIZE = 50;
const WORDS_MAX = 120;

interface Roster<Account, Choice> {
  title: string;
  path: string;
  /** Keyboard shortcut. */
  key: string;
  lead: string;
  /** Label of the search field. */
  searched: string;
  /** Filter beside the search field. */
  choice: { name: string; label: string; among: readonly Choice[] };
  /** Text for an empty list. */
  nobody: string;
  list: (
    db: Db,
    filter: {
      query: string | undefined;
      choice: Choice | undefined;
      after: string | undefined;
      limit: number;
    },
  ) => Promise<readonly Account[]>;
  table: (accounts: readonly Account[]) => Html;
}

/** Declares a paginated list of accounts with a search field and one filter. */
export function rosterPage<Account extends { id: string }, const Choice extends string>({
  title,
  path,
  key,
  lead,
  searched,
  choice,
  nobody,
  list,
  table,
}: Roster<Account, Choice>) {
  return definePage({
    path,
    who: staff(ALL_ROLES),
    nav: { label: title, key },
    async load({ deps, query }) {
      const words = cutTyped((query.get('q') ?? '').trim(), WORDS_MAX);
      const selected = choice.among.find((value) => value === query.get(choice.name));
      const rows = await list(deps.pool, {
        query: words === '' ? undefined : words,
        choice: selected,
        after: query.get('after') ?? undefined,
        limit: PAGE_SIZE + 1,
      });
      return { words, selected, rows };
    },
    view(_req, { words, selected, rows }) {
      const accounts = rows.slice(0, PAGE_SIZE);
      const filter = { ...(words !== '' && { q: words }), ...(selected && { [choice.name]: selected }) };
      const after = rows.length > PAGE_SIZE ? accounts.at(-1)?.id : undefined;
      return {
        title,
        lead,
        body: html`<form class="filters" method="get" action="${path}">
            ${textField({ name: 'q', label: searched, type: 'search', value: words, maxlength: WORDS_MAX })}
            ${filterField({ ...choice, value: selected ?? '' }, choice.among)}
            <button class="button plain" type="submit">Find</button>
          </form>
          ${
            accounts.length > 0
              ? table(accounts)
              : html`<div class="empty">
                  <h2>No ${title.toLowerCase()}</h2>
                  <p>${Object.keys(filter).length > 0 ? 'Nobody matches this.' : nobody}</p>
                </div>`
          }
          ${nextPage(path, after && { ...filter, after }, `Next ${PAGE_SIZE}`)}`,
      };
    },
  });
}
