import type { OpenApiDocument, Schema } from '../../../src/surfaces/people/docs/topics/openapi-document.ts';
import type { McpSurface } from '../../../src/surfaces/people/docs/topics/tool-topic.ts';
import type { HomeDestination } from '../../../src/surfaces/people/traveller/arrange-destinations.ts';

const COUNTRIES =
  'ID TH VN JP IN AE PT ES FR IT GR GB DE NO MA EG KE ZA US MX CR CU CO PE BR AR AU NZ FJ XX'.split(' ');

/** Made-up destinations all over the world, with names as long as real ones. */
export function sampleDestinations(amount: number): HomeDestination[] {
  return Array.from({ length: amount }, (_, index) => {
    const country = COUNTRIES[index % COUNTRIES.length] ?? 'PT';
    return {
      slug: `destination-${index}`,
      name: `Długa Miejscowość ${index}`,
      other_names: [`Another name ${index}`],
      country,
      country_name: `Country ${country}`,
      timezone: 'Europe/Lisbon',
      lat: ((index * 37) % 120) - 50,
      lng: ((index * 67) % 360) - 180,
      places: 40 + ((index * 131) % 900),
      verified_places: index % 40,
    };
  });
}

function sampleSchema(text: string): Schema {
  return {
    type: 'object',
    required: ['place_id'],
    properties: {
      place_id: { type: 'string', description: text, pattern: '^plc_[0-9a-z]{26}$' },
      method: { type: 'string', enum: ['request', 'phone', text] },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
      rating: { anyOf: [{ type: 'number' }, { type: 'null' }], description: text },
      places: { type: 'array', maxItems: 20, items: { $ref: '#/components/schemas/Place' } },
    },
  };
}

const TAGS = ['submissions', 'photos'];

/** As many operations as the whole agent surface has, one of them with a reference that leads to itself. */
export function sampleOpenApi(text: string): OpenApiDocument {
  const answer = {
    description: text,
    content: { 'application/json': { schema: sampleSchema(text), example: { text } } },
  };
  const names = Array.from({ length: 18 }, (_, index) => `operation_${index}`);
  return {
    info: { title: 'Waypost', version: '1.0.0' },
    servers: [{ url: 'http://127.0.0.1:3000' }],
    tags: TAGS.map((name) => ({ name, description: text })),
    security: [{ key: [] }],
    paths: Object.fromEntries(
      names.map((name, index) => [
        `/api/agent/${name}/{place_id}`,
        {
          [index % 2 === 0 ? 'get' : 'post']: {
            operationId: name,
            summary: text,
            description: text,
            tags: [TAGS[index % TAGS.length] ?? ''],
            parameters: [
              { name: 'place_id', in: 'path', required: true, schema: { type: 'string' }, example: text },
              { name: 'city', in: 'query', description: text, schema: { type: 'string', examples: [text] } },
            ],
            ...(index % 2 === 0
              ? {}
              : { requestBody: { content: { 'application/json': { schema: sampleSchema(text) } } } }),
            responses: { 200: answer, 422: { description: text } },
          },
        },
      ]),
    ),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Place: {
          type: 'object',
          properties: { name: { type: 'string' }, near: { $ref: '#/components/schemas/Place' } },
        },
      },
    },
  };
}

export function sampleSurfaces(text: string): McpSurface[] {
  return ['Agents', 'Partners', 'Concierge'].map((title) => ({
    title,
    url: `http://127.0.0.1:3000/${title.toLowerCase()}/mcp`,
    auth: text,
    links: [{ client: text, href: 'vscode:mcp/install?%7B%7D' }],
    tools: Array.from({ length: 9 }, (_, index) => ({
      name: `tool_${index}`,
      title: text,
      description: text,
      inputSchema: index === 0 ? { type: 'object', properties: {} } : sampleSchema(text),
      outputSchema: sampleSchema(text),
      annotations: { readOnlyHint: index % 2 === 0, destructiveHint: index === 1 },
    })),
  }));
}
