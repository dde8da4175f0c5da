import { webhookKeysPath } from '../../../../delivery/signing-key.ts';
import { html, join, type Html } from '../../../../core/text/html.ts';
import { table } from '../../frame/table.ts';
import type { DocsModel, Guide } from '../docs-model.ts';
import { codeBlock, jsonBlock } from '../code-block.ts';
import { exampleOf } from '../topics/examples.ts';
import { resolve, type ApiOperation } from '../topics/openapi-document.ts';
import { foldedFields } from '../topics/operation-topic.ts';
import { fieldsOf } from '../topics/schema-fields.ts';

/** Guides to webhooks and callbacks and their verification, from the webhooks of openapi.json. */
export function eventGuides(model: DocsModel): Guide[] {
  return [webhooks(model), verification(model), callbacks(model)];
}

function webhooks(model: DocsModel): Guide {
  return {
    page: 'webhooks',
    id: 'webhooks',
    title: 'Webhooks for partners',
    words: html`<p>
        <code>set_webhook</code> of the concierge registers an https address and shows its
        <code>secret</code> once. Every move of your bookings is posted there. <code>send_test</code> posts a
        test, and <code>webhook_status</code> tells how the last deliveries went.
      </p>
      ${eventList(model, ['booking_move', 'webhook_test'])}
      <p>
        Moves of one booking come in the order of <code>sequence</code>. After three failed attempts later
        ones no longer wait, so take the highest for what holds. A delivery may come twice, with the same
        <code>id</code>.
      </p>
      <p>
        Any 2xx within 10 seconds counts as received. 410 ends the webhook until you set it again. Whatever
        else you answer, a redirect too, is a failure: it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h
        and 10 h, and a last time after a day.
      </p>
      <p>
        Keep what is posted. <code>timeline_head</code> is the hash of the booking's history up to that move:
        SHA-256 over the hash of the entry before (32 bytes, nothing for the first) and the JSON of
        <code>[booking_id, sequence, at, event, from, to, actor, channel, revision, text]</code>. With
        <code>booking_status</code> it proves later that nothing was changed or left out.
      </p>
      ${eventFields(model, 'booking_move')}`,
    examples: [jsonBlock('A move, as it is posted', eventExample(model, 'booking_move'))],
  };
}

function verification({ prefix, site, openapi }: DocsModel): Guide {
  const headers = eventOf(openapi, 'booking_move')?.parameters ?? [];
  return {
    page: 'webhooks',
    id: 'verify',
    title: 'How a webhook is verified',
    words: html`<p>
        Each request is signed twice with the secret; check either. The key is not the text
        <code>whsec_…</code>: it is what you get by decoding from base64 what follows <code>whsec_</code>.
      </p>
      ${table(
        { className: 'stack', columns: ['Header', 'What it holds'] },
        headers.map((header) => {
          const { name, description } = resolve(openapi, header);
          return html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${description}</td>
          </tr>`;
        }),
      )}
      <p>
        Verify the raw body, before any parser has touched it. Compare in constant time. Refuse a time that is
        more than five minutes off: every attempt is signed anew, so that a late one passes. Any library for
        Standard Webhooks does all of this. After <code>rotate_secret</code> both secrets sign for a day.
      </p>
      <p>
        To test your own code: with the key bytes <code>0123456789abcdef0123456789abcdef</code>, the time
        1794700800, the id <code>msg_01</code> and the body
        <code>{"id":"msg_01","type":"booking.confirmed"}</code> the headers are
        <code
          >${prefix}-signature:
          t=1794700800,v1=ebb74cc441f47a68274654629076be83de40e4f198e27344e4ab10407e2538a7</code
        >
        and <code>webhook-signature: v1,nxYiQqok3DPe61jhkr5OL5/MibrAl52tcQc1vM8miXw=</code>.
      </p>
      <p>
        The example needs <a href="#typed-client">the typed client</a> and the secret in
        <code>WEBHOOK_SECRET</code>. It listens on <code>PORT</code>, or 8080, behind something that speaks
        https.
      </p>`,
    examples: [
      codeBlock(
        'webhooks.mjs: a receiver of webhooks',
        receiver('verifyWebhook', 'process.env.WEBHOOK_SECRET', 'event.data.status'),
      ),
      codeBlock(
        'Or without a secret, by the public keys',
        `curl '${site.partnerUrl}${webhookKeysPath(prefix)}'`,
      ),
    ],
  };
}

function callbacks(model: DocsModel): Guide {
  const { prefix, site } = model;
  const keysUrl = site.baseUrl + webhookKeysPath(prefix);
  return {
    page: 'webhooks',
    id: 'callbacks',
    title: 'Callbacks for agents',
    words: html`<p>
        A submission with a <code>callback_url</code>, an https address, is told of when a person has decided
        it. The callback of a business holds for its promotions too.
      </p>
      ${eventList(model, ['submission_decided'])}
      <p>
        No secret is shared. The request is signed with Ed25519, and the public keys are at
        <a href="${webhookKeysPath(prefix)}">${keysUrl}</a>, the <code>callback_keys_url</code> of your
        account: each as a JSON Web Key and, in <code>whpk</code>, as Standard Webhooks writes it. Keep them
        for an hour.
      </p>
      <ul>
        <li>
          <code>webhook-signature</code> is <code>v1a,</code> and the signature in base64. Signed is
          <code>{webhook-id}.{webhook-timestamp}.{raw body}</code>.
        </li>
        <li>
          <code>${prefix}-signature</code> is <code>t={unix seconds},v1a={signature in base64}</code>. Signed
          is <code>{t}.{raw body}</code>.
        </li>
      </ul>
      <p>
        Check either over the raw body, and refuse a time that is more than five minutes off. A 2xx counts as
        received; 410, a redirect and an address inside a network end it; anything else is tried again for a
        day. The list of your submissions shows how far a callback came.
      </p>
      ${eventFields(model, 'submission_decided')}`,
    examples: [
      jsonBlock('A decision, as it is posted', eventExample(model, 'submission_decided')),
      codeBlock(
        'callbacks.mjs: a receiver of callbacks',
        receiver(
          'verifyCallback',
          'keys',
          'event.data.status',
          `const keys = await fetchSigningKeys('${keysUrl}');\n`,
        ),
      ),
    ],
  };
}

/** Source of an example receiver. */
function receiver(verify: string, key: string, loggedValue: string, before = ''): string {
  const imported = before === '' ? verify : `fetchSigningKeys, ${verify}`;
  return `import { createServer } from 'node:http';
import { ${imported} } from 'waypost-client/webhooks';

${before}createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const signed = { body: Buffer.concat(chunks), headers: request.headers };
    const event = await ${verify}(signed, ${key});
    console.log(event.type, ${loggedValue});
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 8080, '127.0.0.1');`;
}

function eventOf({ webhooks: all = {} }: DocsModel['openapi'], name: string): ApiOperation | undefined {
  return all[name]?.post;
}

function mediaOf(model: DocsModel, name: string) {
  return eventOf(model.openapi, name)?.requestBody?.content?.['application/json'] ?? {};
}

function eventExample(model: DocsModel, name: string): unknown {
  return exampleOf(model.openapi, mediaOf(model, name));
}

function eventFields(model: DocsModel, name: string): Html | false {
  return foldedFields('Fields of the body', fieldsOf(model.openapi, mediaOf(model, name).schema ?? {}));
}

/** Lists the values of `type`, and when each is sent. */
function eventList({ openapi }: DocsModel, names: readonly string[]): Html {
  return html`<ul>
    ${names.map((name) => {
      const event = eventOf(openapi, name);
      const schema = event?.requestBody?.content?.['application/json']?.schema;
      const { enum: several, const: one } = resolve(openapi, schema?.properties?.['type'] ?? {});
      const types = (several ?? [one]).map((type) => html`<code>${String(type)}</code>`);
      return html`<li>${join(types, ', ')}: ${event?.description}</li>`;
    })}
  </ul>`;
}
