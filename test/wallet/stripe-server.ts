import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import Stripe from 'stripe';

export const SECRET_KEY = 'sk_live_of_the_tests';
export const WEBHOOK_SECRET = 'whsec_of_the_tests';

export interface MadeSession {
  id: string;
  paymentIntent: string;
  form: URLSearchParams;
}

/** A server on loopback that speaks as much of Stripe as a checkout needs, with the library's own signatures. */
export class StripeServer {
  readonly sessions: MadeSession[] = [];
  /** Ids of sessions that were ended before anybody paid. */
  readonly expired: string[] = [];
  url = '';
  /** The next calls fail with this status. */
  failing: number | undefined;
  readonly #byKey = new Map<string, { body: string; session: MadeSession }>();
  readonly #library = new Stripe(SECRET_KEY);

  static async open(): Promise<StripeServer> {
    const server = new StripeServer();
    const http = createServer((request, response) => void server.#answer(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    after(() => http.close());
    return server;
  }

  get settings(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: this.url,
      EGRESS_ALLOW: new URL(this.url).host,
    };
  }

  /** An event as it goes over the wire: the body, and the header that signs it. */
  event(
    type: string,
    object: Record<string, unknown>,
    at: Date,
    secret = WEBHOOK_SECRET,
  ): { payload: string; signature: string } {
    const payload = JSON.stringify({ id: `evt_${token()}`, object: 'event', type, data: { object } });
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = this.#library.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return { payload, signature };
  }

  /** Stripe's representation of a session. */
  sessionObject({ id, paymentIntent, form }: MadeSession, paymentStatus = 'paid'): Record<string, unknown> {
    return {
      id,
      object: 'checkout.session',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      client_reference_id: form.get('client_reference_id'),
      metadata: { waypost_id: form.get('metadata[waypost_id]') },
      payment_intent: paymentIntent,
      payment_status: paymentStatus,
      status: 'complete',
    };
  }

  chargeObject({ paymentIntent }: MadeSession, refunded: number): Record<string, unknown> {
    return {
      id: `ch_${token()}`,
      object: 'charge',
      payment_intent: paymentIntent,
      amount_refunded: refunded,
      refunded: true,
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const send = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (this.failing !== undefined)
      return void send(this.failing, { error: { type: 'api_error', message: 'no' } });
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return void send(401, { error: { type: 'invalid_request_error', message: 'no such key' } });
    const [, ended] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(request.url ?? '') ?? [];
    if (request.method === 'POST' && ended !== undefined) {
      this.expired.push(ended);
      return void send(200, { id: ended, object: 'checkout.session', status: 'expired' });
    }
    if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
      return void send(404, { error: { type: 'invalid_request_error', message: 'unrecognised' } });
    const key = String(request.headers['idempotency-key']);
    const known = this.#byKey.get(key);
    if (known !== undefined && known.body !== body)
      return void send(400, { error: { type: 'idempotency_error', message: 'other parameters' } });
    const session = known?.session ?? this.#make(key, body);
    send(200, { ...this.sessionObject(session, 'unpaid'), url: `${this.url}/c/pay/${session.id}` });
  }

  #make(key: string, body: string): MadeSession {
    const form = new URLSearchParams(body);
    const session = { id: `cs_live_${token()}`, paymentIntent: `pi_${token()}`, form };
    this.#byKey.set(key, { body, session });
    this.sessions.push(session);
    return session;
  }
}

function token(): string {
  return randomBytes(12).toString('hex');
}
