import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { HOUR_MS } from '../../../../core/time.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import {
  failProviderTest,
  startProviderTest,
  type ProviderTest,
  type ProviderTestKind,
} from '../../../../messages/provider-test.ts';
import { TwilioError } from '../../../../twilio/twilio.ts';
import { actionForm } from '../../form/action-form.ts';
import { textInput } from '../../form/fields.ts';
import { badge } from '../../frame/components.ts';
import { conflict, defineAction, type ActionResult } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { leads, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { SET_UP_PATH } from './set-up.ts';

const TESTS_PER_HOUR = 20;
const TESTS_SHOWN = 3;

const rateLimits = [
  {
    name: 'provider-tests',
    windowMs: HOUR_MS,
    max: () => TESTS_PER_HOUR,
    message: 'Too many tests within an hour.',
  },
] as const;

const bad = (text: string): ActionResult => ({ again: { notice: { kind: 'bad', text } } });

/** Lets the payment provider send an event about a purchase that ends at once. No money moves. */
export const testPayments = defineAction({
  name: 'test_payments',
  path: `${SET_UP_PATH}/test-payments`,
  who: leads,
  button: 'Send a test event',
  rateLimits,
  done: 'The provider is asked for an event. Its arrival is shown below.',
  async run(act) {
    if (act.deps.config.stripe === undefined) conflict('No payment provider is set. Nothing was sent.');
    const id = await startProviderTest(act.db, act, { kind: 'payment', staffId: act.person.id });
    act.audit(id);
    act.afterCommit(async ({ deps: { stripe, config }, inTransaction }) => {
      const error = await stripe?.sendTestEvent({ id, returnUrl: config.baseUrl + SET_UP_PATH });
      if (error === undefined) return undefined;
      await inTransaction((tx) => failProviderTest(tx, id, error));
      return bad(error);
    });
  },
});

/** Calls a telephone of the operator, and says that calls work. */
export const testCall = defineAction({
  name: 'test_call',
  path: `${SET_UP_PATH}/test-call`,
  who: leads,
  fields: {
    to: {
      ...textInput(z.string().overwrite(plainPhone).regex(E164), {
        label: 'Number to call, with its country code',
        type: 'tel',
        maxlength: 40,
        required: true,
      }),
      error: 'Write it with its country code, such as +62361123456.',
    },
  },
  button: 'Make a test call',
  rateLimits,
  done: 'The telephone rings in a moment. The outcome is shown below.',
  async run(act, { to }) {
    if (act.deps.config.twilio === undefined) conflict('No provider of calls is set. Nobody was called.');
    const id = await startProviderTest(act.db, act, { kind: 'call', staffId: act.person.id });
    act.audit(id);
    act.afterCommit(async ({ deps: { twilio, config }, inTransaction }) => {
      const answerUrl = `${config.baseUrl}/twilio/test-calls/${id}`;
      try {
        await twilio?.placeCall({ to, answerUrl, statusUrl: `${answerUrl}/status` });
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof TwilioError)) throw thrown;
        await inTransaction((tx) => failProviderTest(tx, id, thrown.message));
        return bad(thrown.message);
      }
    });
  },
});

/** Renders the form of a test, with the outcome of the last ones. */
export function providerTestForm(
  req: PageRequest<Staff>,
  kind: ProviderTestKind,
  tests: readonly ProviderTest[],
  page: PageState,
): Html {
  const form =
    kind === 'payment'
      ? actionForm(req, testPayments, page)
      : actionForm(req, testCall, page, { className: 'flow' });
  return html`${form}
  ${lastTests(
    tests.filter((test) => test.kind === kind),
    testOutcome,
  )}`;
}

export function lastTests<Test>(tests: readonly Test[], outcomeOf: (test: Test) => Html): Html {
  return html`<ul class="items">
    ${tests.slice(0, TESTS_SHOWN).map((test) => html`<li>${outcomeOf(test)}</li>`)}
  </ul>`;
}

/** Reports of the provider that mean success; all others are failures. */
const SUCCESSES: Readonly<Record<string, string>> = { expired: 'The event arrived', completed: 'Answered' };

const FAILURES: Readonly<Record<string, string>> = {
  busy: 'The line was busy',
  'no-answer': 'Nobody answered',
  canceled: 'The call was cancelled',
};

function testOutcome({ started_at, answer, answered_at, error }: ProviderTest): Html {
  if (error !== null) return html`${badge('bad', 'Failed')} ${formatTime(started_at)}<br />${error}`;
  if (answer === null || answered_at === null)
    return html`${badge('warn', 'Nothing has arrived yet')} started ${formatTime(started_at)}`;
  const success = SUCCESSES[answer];
  return html`${success === undefined ? badge('bad', FAILURES[answer] ?? 'Failed') : badge('good', success)}
  ${formatTime(answered_at)}`;
}
