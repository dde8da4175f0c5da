import { z } from 'zod';
import { jsonOf } from '../core/egress/answer-json.ts';
import { E164 } from '../core/text/e164.ts';
import { EgressError } from '../core/egress/egress-error.ts';
import type { EgressPolicy } from '../core/egress/egress-target.ts';
import { safeRequest, type EgressAnswer, type EgressRequest } from '../core/egress/egress.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Sends texts and places calls; undefined without an account, and then texts stay in the outbox. */
    twilio: Twilio | undefined;
  }
}

export interface TwilioAccount {
  url: string;
  account: string;
  token: string;
  /** The number that texts and calls come from, in E.164 form. */
  from: string;
}

interface TwilioErrorOptions {
  cause?: unknown;
  /** The provider will never take this one, so it is not tried again. */
  refused?: boolean;
  /** The provider may have taken it although it did not say so. */
  inDoubt?: boolean;
}

/** Why a text or a call was not taken. The message is ours; what the provider said may repeat the number or the text. */
export class TwilioError extends Error {
  readonly refused: boolean;
  readonly inDoubt: boolean;

  constructor(message: string, { cause, refused = false, inDoubt = false }: TwilioErrorOptions) {
    super(message, { cause });
    this.name = 'TwilioError';
    this.refused = refused;
    this.inDoubt = inDoubt;
  }
}

/** Nothing leaves once this says no. */
type Leaving = Pick<EgressRequest, 'mayLeave'>;

const CALL_MS = 15_000;
/** How long a phone rings before the call counts as not answered. */
const RING_SECONDS = 40;

const takenShape = z.object({ sid: z.string().min(1).max(64) });

/** A client of Twilio's REST interface, or of any provider that speaks it. */
export class Twilio {
  readonly #egress: EgressPolicy;
  readonly #account: TwilioAccount;

  constructor(egress: EgressPolicy, account: TwilioAccount) {
    this.#egress = egress;
    this.#account = account;
  }

  /** Signs what the provider sends to us; only it and we know this. */
  get token(): string {
    return this.#account.token;
  }

  /** Returns the provider's name of the text when it has taken it over. */
  sendText(text: { to: string; body: string; statusUrl?: string } & Leaving): Promise<string> {
    return this.#post('Messages.json', text, [
      ['Body', text.body],
      ...(text.statusUrl === undefined ? [] : [['StatusCallback', text.statusUrl] as const]),
    ]);
  }

  /** Returns the provider's name of the call when it has been placed. What is said comes from `answerUrl`. */
  placeCall(call: { to: string; answerUrl: string; statusUrl: string } & Leaving): Promise<string> {
    return this.#post('Calls.json', call, [
      ['Url', call.answerUrl],
      ['Method', 'POST'],
      ['StatusCallback', call.statusUrl],
      ['StatusCallbackMethod', 'POST'],
      ['Timeout', String(RING_SECONDS)],
    ]);
  }

  async #post(
    resource: string,
    { to, mayLeave }: { to: string } & Leaving,
    fields: readonly (readonly [name: string, value: string])[],
  ): Promise<string> {
    // A number without its country code would reach a stranger in the provider's own country.
    if (!E164.test(to)) throw new TwilioError('The number is not in E.164 form.', { refused: true });
    const { url, account, token, from } = this.#account;
    const body = new URLSearchParams([['To', to], ['From', from], ...fields.map(([...field]) => field)]);
    let answer: EgressAnswer;
    try {
      answer = await safeRequest(this.#egress, `${url}/2010-04-01/Accounts/${account}/${resource}`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: body.toString(),
        timeoutMs: CALL_MS,
        keepBody: true,
        mayLeave,
      });
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      throw new TwilioError('The phone provider could not be reached.', {
        cause: thrown,
        inDoubt: !NEVER_ARRIVED.includes(thrown.code) && thrown.systemCode !== 'ECONNREFUSED',
      });
    }
    return readTaken(answer);
  }
}

const NEVER_ARRIVED: readonly string[] = ['blocked_address', 'dns', 'tls'];

function readTaken(answer: EgressAnswer): string {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const taken = takenShape.safeParse(jsonOf(answer.body));
    if (taken.success) return taken.data.sid;
    throw new TwilioError('The phone provider answered with something that is no answer.', { inDoubt: true });
  }
  // The provider says 400 to a number that does not exist; 401 and 429 are about us and may pass.
  throw new TwilioError(`The phone provider answered ${status}.`, {
    refused: status === 400 || status === 404,
    inDoubt: status >= 500,
  });
}
