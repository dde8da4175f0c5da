import type { FastifyInstance, FastifyReply } from 'fastify';
import { closeSession } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { html } from '../../../core/text/html.ts';
import { forgetMember } from '../../../members/forget-member.ts';
import type { Member } from '../../../members/member.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { refuse, type Action } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { addAction, addPage } from '../person/person-route.ts';

const PATH = '/member/forget';

export function addAccountDeletion(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: member, show: (req) => sendForgetPage(req, {}) });
  addAction(scope, deps, forget);
}

const forget: Action<Member> = {
  name: 'forget_member',
  path: PATH,
  who: member,
  async run(act) {
    if (act.form.get('sure') !== 'yes')
      refuse({ faults: { sure: 'Tick the box if you are sure. Nothing was changed.' } });
    const { serviceName } = act.deps.config;
    await forgetMember(act.db, act.person, { now: act.now, serviceName });
    act.setCookie(await closeSession(act, 'member', act.request));
    act.audit(act.person.id);
    return { show: sendForgotten };
  },
  page: sendForgetPage,
};

function sendForgotten(req: PageRequest): Promise<FastifyReply> {
  return sendFrame(req, 'member', {
    title: 'Your account is erased',
    lead: 'Your name and your email address are erased, and you are signed out. Thank you for having been here.',
    body: html`<p><a class="button plain" href="/">All destinations</a></p>`,
  });
}

/**
 * The second step explains the consequences and requires a ticked box, so that nobody deletes their account by
 * accident.
 */
function sendForgetPage(req: PageRequest<Member>, { faults = {} }: PageState): Promise<FastifyReply> {
  const fault = faults['sure'];
  return sendFrame(req, 'member', {
    title: 'Forget me',
    lead: 'This cannot be undone. Nobody can restore your account, not even we.',
    current: PATH,
    body: html`<section class="card flow" aria-label="What happens">
      <ul class="points">
        <li>Your name and your email address are erased.</li>
        <li>Every partner is unlinked.</li>
        <li>
          Your tables stay where they are, without your name. A venue that already received it may still have
          it: if you will not come, cancel through your partner first.
        </li>
        <li>Your photos are withdrawn. Licences that were sold stay valid.</li>
        <li>Your ratings still count, without your name.</li>
      </ul>
      ${form(
        req,
        PATH,
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
