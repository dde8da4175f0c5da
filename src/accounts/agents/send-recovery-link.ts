import { z } from 'zod';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { defineTask } from '../../jobs/task.ts';
import { postMessage } from '../../messages/post-message.ts';
import { createRecoveryLink, RECOVERY_LINK_MS } from './recovery-link.ts';

declare module '../../jobs/task.ts' {
  interface Payloads {
    send_recovery_link: { operator_email: string; request_id: string };
  }
}

/** Mails a recovery link. A job, so that the response time does not reveal whether an account exists. */
export const sendRecoveryLink = defineTask({
  kind: 'mail',
  payload: z.object({ operator_email: z.string(), request_id: z.string() }),
  run: ({ deps, inTransaction }, { operator_email: email, request_id: requestId }) =>
    inTransaction((tx) => mailLink(deps, tx, email, requestId)),
});

async function mailLink(deps: Deps, sql: Db, email: string, requestId: string): Promise<void> {
  const { clock, newId, config } = deps;
  const now = clock.now();
  const [agent] = await sql<{ id: string; agent_name: string }[]>`
    select id, agent_name from agent where operator_email = ${email} and status <> 'revoked'`;
  if (agent === undefined) return;
  const token = await createRecoveryLink(sql, agent.id, requestId, now);
  if (token === undefined) return;
  const text = [
    `Somebody asked for a new API key for the agent "${agent.agent_name}" at ${config.serviceName}.`,
    '',
    `If it was you, open this page within ${RECOVERY_LINK_MS / 60_000} minutes and press the button there:`,
    '',
    `${config.baseUrl}/recover/${token}`,
    '',
    'The new key is shown once, and the old one stops working at that moment.',
    'If it was not you, do nothing: the key stays as it is.',
  ].join('\n');
  const subject = `A new API key for ${agent.agent_name}`;
  const ctx = { newId, now };
  await postMessage(sql, ctx, {
    channel: 'mail',
    to: email,
    subject,
    text,
    purpose: 'key_recovery',
    subject_id: agent.id,
  });
}
