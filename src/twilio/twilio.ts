import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { parseJsonBody } from '../core/egress/answer-json.ts';
import { E164 } from '../core/text/e164.ts';
import { EgressError } from '../core/egress/egress-error.ts';
import type { EgressPolicy } from '../core/egress/egress-target.ts';
import { safeRequest, type EgressAnswer, type EgressRequest } from '../core/egress/egress.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Sends texts and places calls. Undefined without an account; texts then stay in the outbox. */
    twilio: Twilio | undefined;
  }
}

type TwilioAccount = NonNullable<Deps['config']['twilio']>;

interface TwilioErrorOptions {
  cause?: unknown;
  /** True when the provider will never accept this request, so there is no retry. */
  refused?: boolean;
  /** True when the provider may have accepted the request without a confirmation. */
  inDoubt?: boolean;
}

/**
 * A text or call that was not accepted. The message is our own, because the provider's may repeat the number or the
 * text.
 */
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

/** Nothing is sent once `maySend` returns false. */
type SendGuard = Pick<EgressRequest, 'maySend'>;

const CALL_MS = 15_000;
/** Ring time before a call counts as unanswered. */
const RING_SECONDS = 40;

const acceptedSchema = z.object({ sid: z.string().min(1).max(64) });

/** A client of Twilio's REST API, or of any compatible provider. */
export class Twilio {
  readonly #egress: EgressPolicy;
  readonly #account: TwilioAccount;

  constructor(egress: EgressPolicy, account: TwilioAccount) {
    this.#egress = egress;
    this.#account = account;
  }

  /** Shared secret with which the provider signs its requests to us. */
  get token(): string {
    return this.#account.token;
  }

  /** Returns the provider's id of the text once it has been accepted. */
  sendText(text: { to: string; body: string; statusUrl?: string } & SendGuard): Promise<string> {
    return this.#post('Messages.json', text, [
      ['Body', text.body],
      ...(text.statusUrl === undefined ? [] : [['StatusCallback', text.statusUrl] as const]),
    ]);
  }

  /**
   * Returns the provider's id of the call once it has been placed. The provider fetches the spoken text from
   * `answerUrl`.
   */
  placeCall(call: { to: string; answerUrl: string; statusUrl: string } & SendGuard): Promise<string> {
    return this.#post('Calls.json', call, [
      ['Url', call.answerUrl],
      ['Method', 'POST'],
      ['StatusCallback', call.statusUrl],
      ['StatusCallbackMethod', 'POST'],
      ['Timeout', String(RING_SECONDS)],
    ]);
  }

  /** Reads the account, which costs nothing and contacts nobody else. */
  async check(): Promise<void> {
    const { status } = await this.#call('GET', '.json', {});
    if (status !== 200) throw new TwilioError(`The phone provider answered ${status}.`, {});
  }

  async #post(
    resource: string,
    { to, maySend }: { to: string } & SendGuard,
    fields: readonly (readonly [name: string, value: string])[],
  ): Promise<string> {
    // A number without its country code would reach a stranger in the provider's own country.
    if (!E164.test(to)) throw new TwilioError('The number is not in E.164 form.', { refused: true });
    const { from } = this.#account;
    const body = new URLSearchParams([['To', to], ['From', from], ...fields.map(([...field]) => field)]);
    return readSid(await this.#call('POST', `/${resource}`, { body: body.toString(), maySend }));
  }

  async #call(
    method: 'GET' | 'POST',
    path: string,
    { body, maySend }: Pick<EgressRequest, 'body' | 'maySend'>,
  ): Promise<EgressAnswer> {
    const { url, account, token } = this.#account;
    try {
      return await safeRequest(this.#egress, `${url}/2010-04-01/Accounts/${account}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body !== undefined && { body }),
        timeoutMs: CALL_MS,
        keepBody: true,
        maySend,
      });
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      throw new TwilioError('The phone provider could not be reached.', {
        cause: thrown,
        inDoubt: !NEVER_ARRIVED.includes(thrown.code) && thrown.systemCode !== 'ECONNREFUSED',
      });
    }
  }
}

const NEVER_ARRIVED: readonly string[] = ['blocked_address', 'dns', 'tls'];

function readSid(answer: EgressAnswer): string {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const accepted = acceptedSchema.safeParse(parseJsonBody(answer.body));
    if (accepted.success) return accepted.data.sid;
    throw new TwilioError('The phone provider sent an invalid answer.', { inDoubt: true });
  }
  // The provider answers 400 for a number that does not exist; 401 and 429 concern our account and may be temporary.
  throw new TwilioError(`The phone provider answered ${status}.`, {
    refused: status === 400 || status === 404,
    inDoubt: status >= 500,
  });
}
