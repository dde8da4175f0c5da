import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { addStaff } from '../../../src/accounts/staff/staff.ts';
import {
  decideSubmission,
  type DecisionOutcome,
  type DecisionRequest,
} from '../../../src/submissions/review/decide.ts';
import { signUpAgent, type TestService } from '../service/service.ts';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body & { code?: string; errors?: { pointer: string; code: string; detail: string }[] };
}

/** An agent that submits over REST, as a program would. */
export class SubmittingAgent {
  readonly #service: TestService;
  readonly agentId: string;
  readonly apiKey: string;

  private constructor(service: TestService, agentId: string, apiKey: string) {
    this.#service = service;
    this.agentId = agentId;
    this.apiKey = apiKey;
  }

  static async signUp(service: TestService): Promise<SubmittingAgent> {
    const { agentId, apiKey } = await signUpAgent(service);
    return new SubmittingAgent(service, agentId, apiKey);
  }

  get authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.apiKey}` };
  }

  async post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await this.#service.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.authorization, ...headers },
      body: JSON.stringify(body),
    });
    return read<Body>(response);
  }

  async get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return read<Body>(await this.#service.request(path, { headers: this.authorization }));
  }

  /** Submits a business that is taken in, and gives its id and revision. */
  async business(change: Record<string, unknown> = {}): Promise<{ id: string; revision: number }> {
    const { status, body } = await this.post<{ submission_id: string; revision: number }>(
      '/api/agent/business',
      business(change),
    );
    assert.equal(status, 201, JSON.stringify(body));
    return { id: body.submission_id, revision: body.revision };
  }

  /** Where one of its submissions stands. */
  async standing(id: string): Promise<Record<string, unknown>> {
    const { body } = await this.get<{ items: Record<string, unknown>[] }>('/api/agent/submissions?limit=100');
    const item = body.items.find((one) => (one['promo_id'] ?? one['submission_id']) === id);
    assert.ok(item, `${id} is in the list`);
    return item;
  }
}

async function read<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(text) as Answer<Body>['body'],
  };
}

let names = 0;

/** A business that nobody has submitted yet. */
export function business(change: Record<string, unknown> = {}): Record<string, unknown> {
  names += 1;
  return {
    relationship: 'third_party',
    name: `Kedai Nomor ${names} Uluwatu`,
    country: 'ID',
    city: 'Bali',
    ...change,
  };
}

/** A member of staff who decides; the console's pages do the same with somebody signed in. */
export async function addReviewer(
  service: TestService,
  email = `reviewer-${randomUUID()}@waypost.example`,
): Promise<string> {
  const { pool, newId, clock } = service.app.deps;
  await addStaff(pool, newId, clock.now(), {
    email,
    role: 'reviewer',
    password: 'a long password of a test',
  });
  const [staff] = await pool<{ id: string }[]>`select id from staff where email = ${email}`;
  assert.ok(staff);
  return staff.id;
}

/** Decides in a transaction, as the console does. */
export function decide({ app: { deps } }: TestService, request: DecisionRequest): Promise<DecisionOutcome> {
  return deps.pool.begin((tx) => decideSubmission(tx, { deps, now: deps.clock.now() }, request));
}

export async function approve(
  service: TestService,
  staffId: string,
  { id, revision }: { id: string; revision: number },
  change: Partial<DecisionRequest> = {},
): Promise<void> {
  const request = { submissionId: id, revision, staffId, decision: 'approved' as const, ...change };
  assert.deepEqual(await decide(service, request), { outcome: 'decided' });
}

export async function findByName(agent: SubmittingAgent, name: string): Promise<string | undefined> {
  const found = await agent.get<{ places: { place_id: string; name: string }[] }>(
    `/api/agent/search?q=${encodeURIComponent(name)}`,
  );
  return found.body.places.find((place) => place.name === name)?.place_id;
}

/** Waits until the node has followed the directory, as it does by itself within moments, and looks then. */
export async function findLive(
  service: TestService,
  agent: SubmittingAgent,
  name: string,
): Promise<string | undefined> {
  await service.app.deps.places.follow();
  return findByName(agent, name);
}

/** The newest message that was queued for a purpose. */
export async function lastMessage(
  service: TestService,
  purpose: string,
  to?: string,
): Promise<{ to: string; subject: string; text: string; channel: string } | undefined> {
  const [message] = await service.app.deps.pool<
    { to: string; subject: string; text: string; channel: string }[]
  >`select recipient as to, subject, body as text, channel from message
    where purpose = ${purpose} and (${to ?? null}::text is null or recipient = ${to ?? null})
    order by sequence desc limit 1`;
  return message;
}

/** A message with a code, for tests that send one without a page. */
export function codeMessage(code: string): { subject: string; text: string } {
  return { subject: 'Your code', text: `Your code: ${code}` };
}

export function codeIn(text: string): string {
  return /code: (\d[\d ]*\d)/.exec(text)?.[1] ?? '';
}
