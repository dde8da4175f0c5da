import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { USER_AGENT } from './service.ts';

/** Begins a sign-up whose body does not end yet; it has arrived when the service asks for the rest. */
export async function beginSignUp(
  url: string,
): Promise<{ finish(): Promise<{ status: number | undefined; body: unknown }> }> {
  const body = JSON.stringify({
    agent_name: 'Slow Agent',
    operator_name: 'Slow Operator',
    operator_email: `slow-${randomUUID()}@operator.example`,
    purpose: 'Takes its time to say what it wants.',
  });
  const asking = request(`${url}/api/agent/signup`, {
    method: 'POST',
    headers: {
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  asking.flushHeaders();
  await once(asking, 'continue');
  asking.write(body.slice(0, 20));
  return {
    finish: async () => {
      const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
      asking.end(body.slice(20));
      const [response] = await answered;
      return { status: response.statusCode, body: await json(response) };
    },
  };
}
