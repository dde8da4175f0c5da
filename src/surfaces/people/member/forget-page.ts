import type { FastifyReply } from 'fastify';
import { closeSession } from '../../../accounts/sign-in/session.ts';
import { html } from '../../../core/text/html.ts';
import { forgetMember } from '../../../members/forget-member.ts';
import { form } from '../frame/around.ts';
import { sendMemberPage, type MemberVisit } from './member-frame.ts';

/** The second step: what is about to happen, and a box to tick, so that no slip of a finger does it. */
export function sendForgetPage(visit: MemberVisit, fault?: string): Promise<FastifyReply> {
  return sendMemberPage(visit, {
    title: 'Forget me',
    lead: 'This cannot be taken back. Nobody can restore your account, and neither can we.',
    current: '/member/forget',
    status: fault === undefined ? 200 : 422,
    body: html`<section class="card flow" aria-label="What happens">
      <ul class="consequences">
        <li>Your name and your email address are erased.</li>
        <li>Every partner is unlinked.</li>
        <li>
          Your tables stay where they are, without your name. A venue that was told it may still have it:
          cancel through your partner first if you will not come.
        </li>
        <li>Your photos are withdrawn. What was licensed before stays licensed.</li>
        <li>Stars that you gave still count, and belong to nobody.</li>
      </ul>
      ${form(
        visit,
        '/member/forget',
        html`<div class="field ${fault !== undefined && 'bad'}">
            ${fault !== undefined && html`<p class="fault" id="sure-fault">${fault}</p>`}
            <label class="tick"
              ><input
                type="checkbox"
                name="sure"
                value="yes"
                ${fault !== undefined && html` aria-invalid="true" aria-describedby="sure-fault"`}
              />
              <span>Yes, forget me</span></label
            >
          </div>
          <div class="actions">
            <button class="button danger" type="submit">Forget me for good</button>
            <a class="button plain" href="/member">Keep my account</a>
          </div>`,
      )}
    </section>`,
  });
}

export async function takeForget(visit: MemberVisit): Promise<FastifyReply> {
  const { deps, member, form: fields, request, reply } = visit;
  if (fields.get('sure') !== 'yes')
    return sendForgetPage(visit, 'Tick the box if you are sure. Nothing was changed.');
  await forgetMember(deps, member, request.id);
  reply.header('set-cookie', await closeSession({ deps, db: deps.pool }, 'member', request));
  return sendMemberPage(visit, {
    title: 'You are forgotten',
    lead: 'Your name and your email address are erased, and you are signed out. Thank you for having been here.',
    body: html`<p><a class="button plain" href="/">All destinations</a></p>`,
  });
}
