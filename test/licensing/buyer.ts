import { signUpAgent, type TestService } from '../harness/service/service.ts';
import { fillWallet } from './made-photo.ts';

export interface Answered {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** An agent that buys photos, over HTTP. */
export class Buyer {
  readonly agentId: string;
  readonly apiKey: string;
  readonly #service: TestService;

  constructor(service: TestService, agentId: string, apiKey: string) {
    this.#service = service;
    this.agentId = agentId;
    this.apiKey = apiKey;
  }

  get(path: string): Promise<Answered> {
    return this.#send(path, {});
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answered> {
    return this.#send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  quote(photoId: string, use: string): Promise<Answered> {
    return this.get(`/api/agent/photos/quote?photo_id=${photoId}&use=${use}`);
  }

  license(photoId: string, use: string, max: number, key?: string): Promise<Answered> {
    return this.post('/api/agent/photos/license', {
      photo_id: photoId,
      use,
      max_price_cents: max,
      ...(key !== undefined && { idempotency_key: key }),
    });
  }

  wallet(): Promise<Answered> {
    return this.get('/api/agent/photos/wallet');
  }

  /** The same agent, on another node. */
  at(service: TestService): Buyer {
    return new Buyer(service, this.agentId, this.apiKey);
  }

  async #send(path: string, init: RequestInit): Promise<Answered> {
    const response = await this.#service.request(path, {
      ...init,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body };
  }
}

/** A new agent with money, or test credit, in its wallet. */
export async function makeBuyer(
  service: TestService,
  cents = 0,
  book: 'money' | 'test' = 'money',
): Promise<Buyer> {
  const { agentId, apiKey } = await signUpAgent(service);
  if (cents > 0) await fillWallet(service.database.pool, service.clock, agentId, cents, book);
  return new Buyer(service, agentId, apiKey);
}
