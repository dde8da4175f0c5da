import type { FastifyReply } from 'fastify';
import { closeSession } from '../../../accounts/sign-in/session.ts';
import { html } from '../../../core/text/html.ts';
import { forgetMember } from '../../../members/forget-member.ts';
import { actionForm } from '../form/action-form.ts';
import { checkInput } from '../form/fields.ts';
import { sendFrame } from '../frame/frame.ts';
import { defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { member } from '../person/people.ts';

const PATH = '/member/forget';

const forget = defineAction({
  name: 'forget_member',
  path: PATH,
  who: member,
  fields: { sure: checkInput('Yes, forget me', 'Tick the box if you are sure. Nothing was changed.') },
  button: 'Forget me for good',
  danger: true,
  async run(act) {
    const { serviceName } = act.deps.config;
    await forgetMember(act.db, act.person, { now: act.now, serviceName });
    act.setCookie(await closeSession(act, 'member', act.request));
    act.audit(act.person.id);
    return { show: sendForgotten };
  },
});

function sendForgotten(req: PageRequest): Promise<FastifyReply> {
  return sendFrame(req, 'member', {
    title: 'Your account is erased',
    lead: 'Your name and your email address are erased, and you are signed out. Thank you for having been here.',
    body: html`<p><a class="button plain" href="/">All destinations</a></p>`,
  });
}

/** Explains the consequences and requires a ticked box, so that nobody deletes their account by accident. */
export const forgetPage = definePage({
  path: PATH,
  who: member,
  load: () => undefined,
  view: (req, _data, state) => ({
    title: 'Forget me',
    lead: 'This cannot be undone. Nobody can restore your account, not even we.',
    body: html`<section class="card flow" aria-label="What happens">
      <ul class="points">
        <li>Your name and your email address are erased.</li>
        <li>Every partner is unlinked.</li>
        <li>
          Your tables stay where they are, without your name. A venue that already received it may still have
          it: if you will not come, cancel the table first.
        </li>
        <li>Your photos are withdrawn. Licences that were sold stay valid.</li>
        <li>Your ratings still count, without your name.</li>
      </ul>
      ${actionForm(req, forget, state, {
        className: 'flow',
        beside: html`<a class="button plain" href="/member">Keep my account</a>`,
      })}
    </section>`,
  }),
  actions: [forget],
});
