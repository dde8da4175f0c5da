import { html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import { codeBlock } from '../code-block.ts';
import { EXAMPLE_USER_AGENT } from '../topics/examples.ts';
import type { Guide } from '../docs-model.ts';

/** Guide to the typed client for TypeScript and JavaScript. */
export function clientGuide(site: Site): Guide {
  return {
    page: 'client',
    id: 'typed-client',
    title: 'Using the typed client',
    words: html`<p>
        <code>waypost-client</code> is the client for TypeScript and JavaScript, made from the same
        <a href="/openapi.json">openapi.json</a> as this page: in Node 20.3 or newer, in browsers and in
        workers, without any dependency. Every operation is a method, and its input and its answer have types.
      </p>
      <p>
        It makes an <a href="#idempotency">idempotency key</a> for every write, repeats what is safe to repeat
        and waits as long as <code>Retry-After</code> says. What is listed in pages comes as an async
        iterator. An <a href="#errors">error</a> is a <code>ProblemError</code> with <code>code</code> and
        <code>errors</code>.
      </p>
      <p>
        <code>waypost-client/webhooks</code> verifies a partner's webhooks by their secret, and the callbacks
        about an agent's submissions by our public keys: see <a href="#webhooks">webhooks</a> and
        <a href="#callbacks">callbacks</a>.
      </p>`,
    examples: [
      codeBlock(
        'Search, and go through everything that is found',
        `import { Waypost } from 'waypost-client';

const waypost = new Waypost({
  baseUrl: '${site.baseUrl}',
  userAgent: '${EXAMPLE_USER_AGENT}',
  apiKey: process.env.KEY,
});
const { places } = await waypost.searchPlaces({ q: 'pizza', city: 'bali' });
for await (const place of waypost.each('search_places', { city: 'bali', category: 'cafe' }))
  console.log(place.name);`,
      ),
    ],
  };
}
