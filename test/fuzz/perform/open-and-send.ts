import { encodeForm, fillForm, type Filled } from '../requests/fill-form.ts';
import { formsIn, type HtmlForm } from '../requests/html-forms.ts';
import type { FormPlan, FormStep } from '../requests/plan.ts';
import type { Exchange } from './exchange.ts';
import { encoded, type Session } from './perform.ts';

const HTML = ['Accept', 'text/html'] as const;
const SURFACE = 'pages';

/** Opens a page, sends one of its forms, and does the same once more with the page that this leads to. */
export async function openAndSend(session: Session, plan: FormPlan): Promise<void> {
  const { pattern } = plan;
  const query = Object.entries(plan.query)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  const path = pathFor(session, plan);
  const target = query === '' ? path : `${path}?${query}`;
  let page = await session.send(
    { method: 'GET', target, headers: [HTML] },
    { kind: 'page', pattern },
    SURFACE,
  );
  for (const step of plan.steps) {
    const forms = formsIn(page.answer.text);
    const form = forms[step.form % Math.max(forms.length, 1)];
    if (form === undefined) return;
    const sent = await sendForm(session, pattern, page, form, step);
    const next = sent.answer.headers.location;
    page =
      next?.startsWith('/') === true && !next.startsWith('//')
        ? await session.send(
            { method: 'GET', target: next, headers: [HTML] },
            { kind: 'page', pattern },
            SURFACE,
          )
        : sent;
  }
}

async function sendForm(
  session: Session,
  pattern: string,
  page: Exchange,
  form: HtmlForm,
  step: FormStep,
): Promise<Exchange> {
  const { world, caller } = session;
  const filled = withToken(await fillForm(world, caller, form, step), step, world.values.pick('csrf', 0));
  const own = form.fields.find(({ name }) => name === 'csrf')?.value;
  if (own !== undefined) world.values.add('csrf', own);
  const here = page.request.target.replace(/\?.*/, '');
  const action = form.action === '' ? here : form.action;
  const expects = { kind: 'page', pattern } as const;
  if (form.method === 'GET') {
    const query = new URLSearchParams(
      filled.map(([name, value]): [string, string] => [name, value.toString().toWellFormed()]),
    );
    return session.send(
      { method: 'GET', target: `${action}?${query.toString().slice(0, 8_000)}`, headers: [HTML] },
      expects,
      SURFACE,
    );
  }
  const { type, body } = encodeForm(filled, form.multipart);
  return session.send(
    { method: 'POST', target: action, body, headers: [HTML, ['Content-Type', type]] },
    expects,
    SURFACE,
  );
}

function withToken(filled: Filled, { token }: FormStep, foreign = ''): Filled {
  if (token === 'own') return filled;
  const others = filled.filter(([name]) => name !== 'csrf');
  if (token === 'none') return others;
  return [...others, ['csrf', token === 'wrong' ? 'x.y' : foreign]];
}

/** The kind of id in an address; the first matching entry decides. */
const KINDS: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^\/p\/|^\/console\/places|^\/claim|\/venue\/claim|^\/venue\//, 'plc'],
  [/^\/d\/|^\/sitemaps/, 'destination'],
  [/^\/console\/review/, 'sub'],
  [/^\/console\/agents/, 'agt'],
  [/^\/console\/partners/, 'ptn'],
  [/^\/console\/(licences|licenses)|^\/licenses/, 'lic'],
  [/^\/photos|^\/console\/photos/, 'pho'],
  [/^\/console/, 'bkg'],
  [/^\/pay/, 'pay'],
  [/^\/problems/, 'problem'],
];

/** The address of a page, with links that somebody was sent, or ids, in the place of its parameters. */
function pathFor({ world, caller }: Session, { pattern, ids, instead }: FormPlan): string {
  if (instead !== undefined) return pattern.replaceAll(/:\w+/g, () => encoded(instead) || 'x');
  const link = ids % 4 === 3 ? undefined : world.values.pick(`link ${pattern}`, ids);
  if (link !== undefined) return link;
  const kind = KINDS.find(([start]) => start.test(pattern))?.[1] ?? 'plc';
  return pattern.replaceAll(
    /:\w+/g,
    (name) =>
      (name === ':file'
        ? `${ids % 3}.xml`
        : world.values.pick(kind, ids, ids % 2 === 0 ? caller.letter : undefined)) ?? 'x',
  );
}
