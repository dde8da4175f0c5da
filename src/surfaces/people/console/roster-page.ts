import { cutTyped } from '../../../core/text/visible-text.ts';
import type { FastifyReply } from 'fastify';
import { html, type Html } from '../../../core/text/html.ts';
import { filterField, textField } from '../form/form-field.ts';
import { nextPage } from '../frame/next-page.ts';
import type { PageRequest } from '../person/page-request.ts';
import type { Staff } from '../person/people.ts';
import { sendConsolePage } from './console-page.ts';

const PAGE_SIZE = 50;
const WORDS_MAX = 120;

interface Roster<Account, Choice> {
  title: string;
  path: string;
  lead: string;
  /** What the words of a search are looked for in. */
  searched: string;
  /** What narrows the list besides words. */
  choice: { name: string; label: string; among: readonly Choice[] };
  /** Who appears here, while nobody does. */
  nobody: string;
  list: (wanted: {
    query: string | undefined;
    choice: Choice | undefined;
    after: string | undefined;
    limit: number;
  }) => Promise<readonly Account[]>;
  table: (accounts: readonly Account[]) => Html;
}

/** A list of accounts, a page at a time, narrowed by words and by one choice. */
export async function sendRosterPage<Account extends { id: string }, Choice extends string>(
  request: PageRequest<Staff>,
  { title, path, lead, searched, choice, nobody, list, table }: Roster<Account, Choice>,
): Promise<FastifyReply> {
  const { query } = request;
  const words = cutTyped((query.get('q') ?? '').trim(), WORDS_MAX);
  const chosen = choice.among.find((known) => known === query.get(choice.name));
  const found = await list({
    query: words === '' ? undefined : words,
    choice: chosen,
    after: query.get('after') ?? undefined,
    limit: PAGE_SIZE + 1,
  });
  const accounts = found.slice(0, PAGE_SIZE);
  const filter = { ...(words !== '' && { q: words }), ...(chosen && { [choice.name]: chosen }) };
  const after = found.length > PAGE_SIZE ? accounts.at(-1)?.id : undefined;
  return sendConsolePage(request, {
    title,
    current: path,
    lead,
    body: html`<form class="filters" method="get" action="${path}">
        ${textField({ name: 'q', label: searched, type: 'search', value: words, maxlength: WORDS_MAX })}
        ${filterField({ ...choice, value: chosen ?? '' }, choice.among)}
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
  });
}
