import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionOrigin } from '../../../../accounts/sign-in/staff-session.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { AssetName } from '../../assets.ts';
import { textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { page } from '../../frame/layout.ts';
import { sendPage } from '../../frame/send-page.ts';
import { siteOf } from '../../frame/site.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import { noticeLine } from '../console-page.ts';

/** Sends a page of the sign-in flow: narrow, without the console's navigation, which needs a session. */
export function sendSignInFramePage(
  { deps, reply }: Pick<PageRequest, 'deps' | 'reply'>,
  model: {
    title: string;
    lead?: string;
    notice?: Notice | undefined;
    scripts?: readonly AssetName[];
    body: Html;
  },
): Promise<FastifyReply> {
  return sendPage(
    reply,
    page({
      site: siteOf(deps),
      title: model.title,
      description: 'For the people who run the directory.',
      indexed: false,
      frame: 'console',
      nav: [{ href: '/', label: 'Destinations' }],
      styles: ['console.css'],
      scripts: model.scripts ?? [],
      body: html`<div class="wrap page door">
        <h1>${model.title}</h1>
        ${model.lead !== undefined && html`<p class="soft">${model.lead}</p>`}
        ${model.notice !== undefined && noticeLine(model.notice)} ${model.body}
      </div>`,
    }),
  );
}

export function sendSignInPage(
  request: PageRequest,
  model: { email: string; next: string; notice?: Notice | undefined },
): Promise<FastifyReply> {
  return sendSignInFramePage(request, {
    title: 'Sign in',
    lead: 'For staff. Agents and partners use their keys.',
    notice: model.notice,
    body: form(
      request,
      '/console/sign-in',
      html`<input type="hidden" name="next" value="${model.next}" />
        ${textField({
          name: 'email',
          label: 'Email',
          type: 'email',
          autocomplete: 'username',
          value: model.email,
          maxlength: 254,
          required: true,
          autofocus: model.email === '',
        })}
        ${textField({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          maxlength: 200,
          required: true,
        })}
        ${textField({
          name: 'totp',
          label: 'Code',
          hint: 'Six digits from your authenticator, or a recovery code. Leave it empty the first time.',
          autocomplete: 'one-time-code',
          inputmode: 'text',
          maxlength: 20,
        })}
        <p><button class="button" type="submit">Sign in</button></p>`,
      { className: 'card flow' },
    ),
  });
}

export function requestOrigin(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
