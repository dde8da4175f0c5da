import Stripe from 'stripe';
import type { Clock } from '../core/clock.ts';
import type { Deps } from '../core/context.ts';
import { safeRequest } from '../core/egress/egress.ts';
import type { EgressPolicy } from '../core/egress/egress-target.ts';
import { AppError } from '../core/errors.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Undefined where no payment provider is set up. */
    stripe: StripePayments | undefined;
  }
}

const TIMEOUT_MS = 20_000;
const RESPONSE_BYTES_MAX = 1_000_000;
/** Maximum age of a signature, against replayed events. */
const SIGNATURE_SECONDS = 300;

type StripeSettings = NonNullable<Deps['config']['stripe']>;

interface CheckoutRequest {
  /** Id of the purchase; the provider returns it with every event. */
  id: string;
  amountCents: number;
  title: string;
  returnUrl: string;
}

/** The payment provider, through its official library. All requests go through the guarded egress. */
export class StripePayments {
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;
  readonly #clock: Clock;

  constructor(policy: EgressPolicy, clock: Clock, { secretKey, webhookSecret, apiUrl }: StripeSettings) {
    const url = apiUrl === undefined ? undefined : new URL(apiUrl);
    this.#clock = clock;
    this.#webhookSecret = webhookSecret;
    this.#stripe = new Stripe(secretKey, {
      httpClient: Stripe.createFetchHttpClient(guardedFetch(policy)),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(url && {
        protocol: url.protocol === 'http:' ? 'http' : 'https',
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port),
      }),
    });
  }

  /** Returns the page on which a person pays. Repeated calls for the same id return the same page. */
  async openCheckout({ id, amountCents, title, returnUrl }: CheckoutRequest): Promise<string> {
    const metadata = { waypost_id: id };
    try {
      const session = await this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: id,
          metadata,
          payment_intent_data: { metadata },
          line_items: [
            {
              quantity: 1,
              price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: title } },
            },
          ],
          success_url: returnUrl,
          cancel_url: returnUrl,
        },
        { idempotencyKey: `checkout-${id}` },
      );
      if (session.url === null) throw new Error('The session has no address.');
      return session.url;
    } catch (thrown) {
      throw new AppError('maintenance', 'The payment provider does not answer. Nothing was paid.', {
        cause: thrown,
        hint: 'Try again in a minute.',
        retryAfterSeconds: 60,
      });
    }
  }

  /** Reads the balance. A restricted key that may not read it is accepted all the same. */
  async check(): Promise<void> {
    try {
      await this.#stripe.balance.retrieve();
    } catch (thrown) {
      if (!(thrown instanceof Stripe.errors.StripePermissionError)) throw thrown;
    }
  }

  /**
   * Opens a session that nobody can pay, because it is ended at once: the provider then sends an event about it. Returns
   * why that failed.
   */
  async sendTestEvent({
    id,
    returnUrl,
  }: Pick<CheckoutRequest, 'id' | 'returnUrl'>): Promise<string | undefined> {
    try {
      const session = await this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: id,
          line_items: [
            {
              quantity: 1,
              price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'Test of the set-up' } },
            },
          ],
          success_url: returnUrl,
          cancel_url: returnUrl,
        },
        { idempotencyKey: `test-${id}` },
      );
      await this.#stripe.checkout.sessions.expire(session.id);
      return undefined;
    } catch (thrown) {
      return thrown instanceof Stripe.errors.StripeAuthenticationError
        ? 'Stripe refuses the key. Check STRIPE_SECRET_KEY.'
        : 'Stripe did not answer as expected. Try again in a minute.';
    }
  }

  /** Verifies and parses a signed event. The body must be the bytes as received. */
  readEvent(body: Buffer, signature: string): Stripe.Event {
    const receivedAt = this.#clock.now().getTime();
    try {
      return this.#stripe.webhooks.constructEvent(
        body,
        signature,
        this.#webhookSecret,
        SIGNATURE_SECONDS,
        undefined,
        receivedAt,
      );
    } catch (thrown) {
      throw new AppError('signature_refused', 'The signature is missing, wrong or too old.', {
        cause: thrown,
      });
    }
  }
}

/** A `fetch` for the library that goes through the guarded egress. */
function guardedFetch(policy: EgressPolicy): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const response = await safeRequest(policy, url, {
      method: init?.method === 'GET' ? 'GET' : 'POST',
      headers: Object.fromEntries(new Headers(init?.headers)),
      timeoutMs: TIMEOUT_MS,
      maxBytes: RESPONSE_BYTES_MAX,
      keepBody: true,
      ...(typeof init?.body === 'string' && init.body !== '' ? { body: init.body } : {}),
    });
    return new Response(new Uint8Array(response.body ?? Buffer.alloc(0)), { status: response.status });
  };
}
