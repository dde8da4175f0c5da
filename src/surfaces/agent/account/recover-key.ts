import { z } from 'zod';
import { defineOperation } from '../../../core/operation.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { HOUR_MS } from '../../../core/time.ts';

/** Requests from one address per hour that lead to a mail; further ones get the same response without a mail. */
const RECOVERIES_PER_HOUR = 20;

/** The same response for every address, so that it does not reveal which ones have an account. */
function nextStep(contactEmail: string): string {
  return `If an agent is registered for this address, a mail is on its way. Closed accounts get no mail: write to ${contactEmail} instead.`;
}

export const recoverKey = defineOperation({
  name: 'recover_key',
  title: 'Recover a lost key',
  description:
    'Mails a one-time link to the operator, who gets a new key on the page behind it. The answer is the same whether or not an agent is registered for the address.',
  tag: 'account',
  effect: 'write',
  containsUntrustedText: false,
  acts: ['reaches_out'],
  access: { who: 'anyone' },
  rest: { method: 'POST', path: '/api/agent/recover', status: 202 },
  tools: [],
  furtherTools: ['agent'],
  input: z.object({
    operator_email: emailAddress().describe('The address that the agent was registered for.'),
  }),
  output: z.object({
    status: z.literal('accepted').describe('The same whether or not the address is registered.'),
    next: z.string().describe('What happens now.'),
  }),
  example: {
    input: { operator_email: 'ops@travel.example' },
    output: { status: 'accepted', next: nextStep('hello@waypost.example') },
  },
  async run(ctx, { operator_email }) {
    const name = `recover_key/address:${ctx.actor.address}`;
    const limit = { name, max: RECOVERIES_PER_HOUR, windowMs: HOUR_MS };
    const { allowed } = await takeFromWindow(ctx.db, limit, ctx.now);
    if (allowed) await addJob(ctx.db, 'send_recovery_link', { operator_email, request_id: ctx.newId('req') });
    return { status: 'accepted' as const, next: nextStep(ctx.deps.config.contactEmail) };
  },
  summarize: ({ next }) => next,
});
