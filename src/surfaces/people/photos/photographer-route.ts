import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { Member } from '../../../members/member.ts';
import type { AssetName } from '../assets.ts';
import { checkCsrf, csrfField } from '../form/csrf.ts';
import { member as memberAudience } from '../person/people.ts';
import { readForm, readQuery } from '../form/form-body.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';

/** One request of a member who is signed in, on the pages of photographers. */
export interface PhotographerVisit {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  member: Member;
  form: URLSearchParams;
  query: URLSearchParams;
  now: Date;
}

interface PhotographerRoute {
  method: 'GET' | 'POST';
  path: string;
  handle(visit: PhotographerVisit): Promise<FastifyReply>;
}

const members = new WeakMap<FastifyRequest, Member>();

/** Mounts a page or a form for photographers: session and token are checked here, for all of them. */
export function photographerRoute(scope: FastifyInstance, deps: Deps, route: PhotographerRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    // Before the body is read: nobody else may send us megabytes.
    onRequest: async (request, reply) => {
      const member = await memberAudience.find(deps, request, reply);
      if (member !== undefined) members.set(request, member);
      else return sendToSignIn(request, reply);
    },
    handler: async (request, reply) => {
      const member = members.get(request);
      if (member === undefined) throw signInRequired();
      if (route.method === 'POST') checkCsrf(deps, request);
      reply.header('cache-control', 'no-store');
      return route.handle({
        deps,
        request,
        reply,
        member,
        form: readForm(request),
        query: readQuery(request),
        now: deps.clock.now(),
      });
    },
  });
}

function sendToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const forPerson = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  if (!forPerson) throw signInRequired();
  return reply.redirect(`/member/sign-in?next=${encodeURIComponent(request.url)}`, 303);
}

function signInRequired(): AppError {
  return new AppError('sign_in_required', 'You are not signed in. Nothing was changed.', {
    hint: 'Sign in at /member/sign-in and try again.',
  });
}

const NAV = [
  { href: '/photos/mine', label: 'My photos' },
  { href: '/photos/mine/upload', label: 'Upload' },
  { href: '/photos/mine/earnings', label: 'Earnings' },
  { href: '/member', label: 'Account' },
];

export interface Notice {
  kind: 'good' | 'bad' | 'open';
  text: string | Html;
}

interface PhotographerPage {
  title: string;
  lead?: string | Html;
  body: Html;
  current: string;
  notice?: Notice | undefined;
  scripts?: readonly AssetName[];
  status?: number;
}

export function sendPhotographerPage(
  visit: PhotographerVisit,
  model: PhotographerPage,
): Promise<FastifyReply> {
  const { title, lead, body, notice, current, scripts, status = 200 } = model;
  const markup = page({
    site: siteOf(visit.deps),
    title,
    description: 'For travellers who license their photos of places.',
    indexed: false,
    styles: ['photos.css'],
    ...(scripts !== undefined && { scripts }),
    nav: NAV,
    current,
    body: html`<div class="wrap page photographer">
      <header class="flow">
        <h1>${title}</h1>
        ${lead !== undefined && html`<p class="lead">${lead}</p>`}
      </header>
      ${
        notice !== undefined &&
        html`<div class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">
          <div>${notice.text}</div>
        </div>`
      }
      ${body}
    </div>`,
  });
  return sendPage(visit.reply.code(status), markup);
}

/** A form with its token. */
export function formOf(
  { deps, request, reply }: PhotographerVisit,
  action: string,
  fields: Html,
  options: { files?: boolean; className?: string } = {},
): Html {
  return html`<form
    class="${options.className ?? 'flow'}"
    method="post"
    action="${action}"
    ${options.files === true && html` enctype="multipart/form-data" data-upload`}
  >
    ${csrfField(deps, request, reply)} ${fields}
  </form>`;
}
