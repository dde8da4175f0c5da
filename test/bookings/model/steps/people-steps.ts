import { flipSwitch } from '../../../harness/service/kill-switch.ts';
import { tableTime, startOf, type Node } from '../world.ts';
import { say, type HeldForm, type Outcome, type SequenceState } from '../sequence-state.ts';
import { BASE_URL } from '../../../harness/service/service.ts';
import { MINUTE_MS } from '../../../../src/core/time.ts';
import { Crash } from '../crash-points.ts';

/** Every form of a page, as a browser would send it. */
function formsOf(markup: string, within?: string): HeldForm[] {
  const from = within === undefined ? 0 : markup.indexOf(within);
  if (from < 0) return [];
  const part = within === undefined ? markup : (markup.slice(from).split('</li>')[0] ?? '');
  return part
    .split('<form')
    .slice(1)
    .map((rest) => {
      const form = rest.split('</form>')[0] ?? '';
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
      return {
        action,
        fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
        markup: form,
      };
    });
}

function outcomeOf(state: SequenceState, node: Node, crashes: number, status: number): Outcome {
  if (node.points.crashes > crashes) return 'crashed';
  if (status >= 500 && status !== 503) state.faults.push(`a page answered ${status}`);
  if (status === 409) return 'unsure';
  return status >= 400 ? 'refused' : 'done';
}

/** The links that the venue was sent, the oldest first. */
function linksOf({ world, record }: SequenceState): string[] {
  const texts = world.phones.texts(world.phone).map((text) => text.get('Body') ?? '');
  const mails = (record?.messages ?? []).map(({ body }) => body ?? '');
  return [...texts, ...mails]
    .map((body) => /waypost\.example(\/v\/[\w-]+)/.exec(body)?.[1])
    .filter((link) => link !== undefined);
}

async function pageOf(node: Node, link: string): Promise<HeldForm[]> {
  return formsOf(await (await node.service.request(link, { headers: { accept: 'text/html' } })).text());
}

/** open: somebody at the venue opens the link and leaves it open. */
export async function openPage(state: SequenceState, node: Node): Promise<Outcome> {
  const link = linksOf(state).at(-1);
  if (link !== undefined) state.keptPage = await pageOf(node, link);
  return 'skipped';
}

/** Taps about coded messages. */
const MESSAGES = ['seen', 'please_confirm'];

/** tap yes|no|offer|within|stop|cancel|undo|seen|please_confirm [old|kept]: on the newest link, on the first one, or on the page that was left open. */
export async function tap(
  state: SequenceState,
  node: Node,
  answer: string,
  which?: string,
): Promise<Outcome> {
  const links = linksOf(state);
  const link = which === 'old' ? links[0] : links.at(-1);
  if (link === undefined) return 'skipped';
  const forms = which === 'kept' ? state.keptPage : await pageOf(node, link);
  // A window has a button for each time instead of one that says yes.
  const until = state.record?.booking.time_until ?? null;
  const picks = answer === 'within' || (answer === 'yes' && until !== null);
  if (answer === 'within' && until === null) return 'skipped';
  const form = forms.find(({ action, fields, markup }) =>
    answer === 'undo'
      ? action.endsWith('/undo')
      : answer === 'offer' || picks
        ? fields['answer'] === 'offer'
        : markup.includes(`value="${answer}"`),
  );
  if (form === undefined) return 'skipped';
  const offer = picks ? withinFields(state, answer) : offerFields(state);
  const given = MESSAGES.includes(answer)
    ? { message: answer }
    : answer === 'undo'
      ? {}
      : answer === 'offer' || picks
        ? offer
        : { answer };
  say(state, `venue ${picks ? 'yes' : answer}`);
  const outcome = await post(state, node, form, given);
  // On this page a conflict is what was shown and is no longer so: nothing is written down.
  return outcome === 'unsure' ? 'refused' : outcome;
}

function offerFields({ record }: SequenceState): Record<string, string> {
  if (record === undefined) return {};
  const { date, time, time_until } = record.booking;
  const last = startOf({ date, time: time_until ?? time }) * 1000;
  const offered = tableTime(new Date(last), 15 * MINUTE_MS);
  return { offer_date: offered.date, offer_time: offered.time };
}

/** A time of the window: the first one, or the half hour after it. */
function withinFields({ record }: SequenceState, answer: string): Record<string, string> {
  if (record === undefined) return {};
  const later = answer === 'within' ? 30 * MINUTE_MS : 0;
  const chosen = tableTime(new Date(startOf(record.booking) * 1000), later);
  return { offer_date: chosen.date, offer_time: chosen.time };
}

async function post(
  state: SequenceState,
  node: Node,
  { action, fields }: HeldForm,
  given: Record<string, string>,
): Promise<Outcome> {
  const { crashes } = node.points;
  const { status } = await node.service.request(action, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, ...given }).toString(),
  });
  return outcomeOf(state, node, crashes, status);
}

const TEXTS: Readonly<Record<string, string>> = {
  yes: 'Yes, thanks',
  no: 'sorry, full',
  offer: '23:45 instead',
  stop: 'STOP',
  start: 'START',
  nonsense: 'yes? no? who are you',
};

/** text yes|no|offer|within|stop|start|nonsense [again]: a text from the venue's number, or one that is delivered a second time. */
export async function text(
  state: SequenceState,
  node: Node,
  answer: string,
  again?: string,
): Promise<Outcome> {
  const { world } = state;
  if (world.phones.texts(world.phone).length === 0) return 'skipped';
  const { crashes } = node.points;
  const within = answer === 'within';
  if (within && state.record?.booking.time_until == null) return 'skipped';
  say(state, `venue ${within ? 'yes' : answer}`);
  if (again === undefined) state.texts++;
  const { status } = await world.phones.post(node.service, `${BASE_URL}/twilio/replies`, {
    MessageSid: `SM${state.record?.booking.id ?? ''}${state.texts}`,
    From: world.phone,
    Body: within ? (withinFields(state, answer)['offer_time'] ?? '') : (TEXTS[answer] ?? answer),
  });
  return outcomeOf(state, node, crashes, status);
}

/** other yes|no|offer|nonsense [first]: a text from the further venue of a choice that was asked last, or from the first one. */
export async function otherText(
  state: SequenceState,
  node: Node,
  answer: string,
  which?: string,
): Promise<Outcome> {
  const { world } = state;
  const asked = world.others.filter(({ phone }) => world.phones.texts(phone).length > 0);
  const from = which === 'first' ? asked[0] : asked.at(-1);
  if (from === undefined) return 'skipped';
  const { crashes } = node.points;
  state.texts++;
  const { status } = await world.phones.post(node.service, `${BASE_URL}/twilio/replies`, {
    MessageSid: `SM${state.record?.booking.id ?? ''}${state.texts}`,
    From: from.phone,
    Body: TEXTS[answer] ?? answer,
  });
  return outcomeOf(state, node, crashes, status);
}

/** call 1|2|3|busy|completed [old]: a key that was pressed, or how the call ended. */
export async function answerCall(
  state: SequenceState,
  node: Node,
  key: string,
  which?: string,
): Promise<Outcome> {
  const { world } = state;
  const calls = world.phones.calls(world.phone);
  const placed = which === 'old' ? calls[0] : calls.at(-1);
  if (placed === undefined) return 'skipped';
  const url = placed.form.get('Url') ?? '';
  const { crashes } = node.points;
  const pressed = /^\d$/.test(key);
  if (key === '1') say(state, 'venue yes');
  if (key === '2') say(state, 'venue no');
  if (key === '3') say(state, 'venue wants another time');
  const { status } = await world.phones.post(
    node.service,
    `${url}${pressed ? '/key' : '/status'}`,
    pressed ? { CallSid: placed.sid, Digits: key } : { CallSid: placed.sid, CallStatus: key },
  );
  return outcomeOf(state, node, crashes, status);
}

/** lose text: the carrier says later that the newest text did not arrive. */
export async function loseText(state: SequenceState, node: Node): Promise<Outcome> {
  const { world } = state;
  const url = world.phones.texts(world.phone).at(-1)?.get('StatusCallback');
  if (url == null) return 'skipped';
  const { crashes } = node.points;
  const { status } = await world.phones.post(node.service, url, { MessageStatus: 'undelivered' });
  return outcomeOf(state, node, crashes, status);
}

/** desk take|yes|no|offer|within|nobody|told|back|keeps|put-down: an action at the desk, on its current page. */
export async function deskStep(state: SequenceState, node: Node, what: string): Promise<Outcome> {
  const id = state.record?.booking.id;
  if (id === undefined) return 'skipped';
  if (what === 'cancel') return deskCancel(state, node, id);
  const first = await deskForms(state, node, id);
  const take = first.find(({ action }) => action.endsWith('/take'));
  if (what === 'take') return take === undefined ? 'skipped' : deskPost(state, node, take, {});
  let forms = first;
  if (take !== undefined) {
    const taken = await deskPost(state, node, take, {});
    if (taken !== 'done') return taken;
    forms = await deskForms(state, node, id);
  }
  if (what === 'within' && state.record?.booking.time_until == null)
    return take === undefined ? 'skipped' : 'done';
  const [words, end, value, given] = DESK[what] ?? ['', '', '', {}];
  const form = forms.find(({ action, markup }) => action.endsWith(end || id) && markup.includes(value));
  if (form === undefined) return take === undefined ? 'skipped' : 'done';
  if (words !== '') say(state, words);
  const offer = what === 'offer' ? offerFields(state) : what === 'within' ? withinFields(state, what) : {};
  const outcome = await deskPost(state, node, form, { ...given, ...offer });
  // That a call was taken before stands, whatever became of the answer.
  return outcome === 'refused' && take !== undefined ? 'unsure' : outcome;
}

type DeskAct = readonly [words: string, end: string, button: string, given: Record<string, string>];

const DESK: Readonly<Record<string, DeskAct>> = {
  yes: ['desk yes', '', 'value="yes"', { answer: 'yes' }],
  no: ['desk no', '', 'value="no"', { answer: 'no' }],
  offer: ['desk offer', '', 'name="offer_time"', {}],
  within: ['desk yes', '', 'name="offer_time"', {}],
  nobody: ['desk nobody', '', 'value="no_answer"', { answer: 'no_answer' }],
  told: ['desk told', '/told', 'The venue knows', {}],
  back: ['desk back', '/told', 'taken_back', { taken_back: 'yes' }],
  keeps: ['desk keeps', '/told', 'taken_back', { taken_back: 'no' }],
  'put-down': ['', '/put-down', '', {}],
};

/** desk cancel: the venue has called, because it cannot keep a table. */
async function deskCancel(state: SequenceState, node: Node, id: string): Promise<Outcome> {
  const forms = await deskForms(state, node, id, '/console/desk/tables');
  const form = forms.find(({ action }) => action.endsWith('/cancel'));
  if (form === undefined) return 'skipped';
  say(state, 'desk cancel');
  return deskPost(state, node, form, {});
}

async function deskForms(
  { world }: SequenceState,
  node: Node,
  id: string,
  path = '/console/desk',
): Promise<HeldForm[]> {
  const headers = { accept: 'text/html', cookie: cookies(world.desk.cookies) };
  const page = await node.service.request(path, { headers });
  return formsOf(await page.text(), `id="${id}"`);
}

async function deskPost(
  state: SequenceState,
  node: Node,
  { action, fields }: HeldForm,
  given: Record<string, string>,
): Promise<Outcome> {
  const { crashes } = node.points;
  const { status } = await node.service.request(action, {
    method: 'POST',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookies(state.world.desk.cookies),
    },
    body: new URLSearchParams({ ...fields, ...given }).toString(),
  });
  return outcomeOf(state, node, crashes, status);
}

function cookies(held: ReadonlyMap<string, string>): string {
  return [...held].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** halt, resume: the kill switch. */
export async function flip(state: SequenceState, node: Node, on: boolean): Promise<Outcome> {
  const { world } = state;
  const { crashes } = node.points;
  state.halted ||= on;
  try {
    await flipSwitch(node.app.deps, { on, reason: 'A test.', staffId: world.desk.staff.id });
  } catch (thrown) {
    if (!(thrown instanceof Crash)) throw thrown;
  }
  return node.points.crashes > crashes ? 'crashed' : 'done';
}

/** opt-out: the venue wants no requests any more, by its own page. */
export async function optOut({ world }: SequenceState): Promise<Outcome> {
  await world.pool`
    update place set booking_method = 'not_through', chosen_by_venue = true where id = ${world.placeId}`;
  return 'done';
}
