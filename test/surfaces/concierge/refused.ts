import assert from 'node:assert/strict';
import type { AskingPartner } from '../../bookings/asking-partner.ts';
import { CONCIERGE_MCP } from '../../bookings/asking-partner.ts';
import { rpc } from '../../harness/clients/mcp.ts';

export interface Refused {
  code: string;
  text: string;
  hint: string | null;
  booking_id?: string;
  link?: { url: string; prefilled: object };
  headers: Headers;
}

/** Calls a tool that must refuse in words for a model, and gives the code with what came along. */
export async function refused(
  { service, partner }: AskingPartner,
  name: string,
  input: Record<string, unknown>,
): Promise<Refused> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: input } };
  const { status, body, headers } = await rpc(service, CONCIERGE_MCP, message, partner.headers);
  assert.equal(status, 200, JSON.stringify(body));
  const { result } = body;
  assert.equal(result?.['isError'], true, JSON.stringify(body));
  const [{ text } = { text: '' }] = result['content'] as { text: string }[];
  const meta = result['_meta'] as Record<string, Omit<Refused, 'text' | 'headers'>>;
  const error = meta['svc/error'];
  assert.ok(error !== undefined && text.startsWith(`${error.code}: `), text);
  return { ...error, text, headers };
}

export async function refusedCode(
  partner: AskingPartner,
  name: string,
  input: Record<string, unknown>,
): Promise<string> {
  return (await refused(partner, name, input)).code;
}

/** Calls a tool over a rate limit: the whole request is refused, for programs, with the time to wait. */
export async function overRateLimit(
  { service, partner }: AskingPartner,
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ code: unknown; headers: Headers }> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: input } };
  const { status, body, headers } = await rpc(service, CONCIERGE_MCP, message, partner.headers);
  assert.deepEqual([status, body.error?.code], [429, 42900], JSON.stringify(body));
  assert.ok(Number(headers.get('retry-after')) >= 1);
  return { code: body.error?.data?.['code'], headers };
}
