import { AppError } from '../../../../src/core/errors.ts';
import { RPC, RpcError } from '../../../../src/protocol/mcp/json-rpc.ts';
import type { Resource } from '../../../../src/protocol/mcp/resource.ts';
import { closed, type Tool, type ToolCall } from '../../../../src/protocol/mcp/tool.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' };

/** The tools that the official conformance suite asks for, served by our own dispatcher. */
export const CONFORMANCE_TOOLS: readonly Tool[] = [
  tool('test_simple_text', () => [{ type: 'text', text: 'This is a simple text response for testing.' }]),
  tool('test_image_content', () => [IMAGE]),
  tool('test_audio_content', () => [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', () => [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  tool('test_multiple_content_types', () => [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  {
    price: 0,
    listing: { name: 'test_error_handling', description: 'Always fails.', inputSchema: { type: 'object' } },
    call: () =>
      Promise.resolve({
        members: closed(
          '"isError":true,"content":[{"type":"text","text":"This tool intentionally returns an error for testing"}]',
        ),
      }),
  },
  tool('test_missing_capability', ({ clientCapabilities }) => {
    if (clientCapabilities['sampling'] !== undefined)
      return [{ type: 'text', text: 'The client can sample.' }];
    throw new RpcError(RPC.missingClientCapability, 400, 'The client must declare sampling.', {
      requiredCapabilities: { sampling: {} },
    });
  }),
  tool('test_streaming_elicitation', () => [{ type: 'text', text: 'This server asks its clients nothing.' }]),
  tool('test_logging_tool', () => [{ type: 'text', text: 'This server sends no log messages.' }]),
  tool('test_unauthorized', () => {
    throw new AppError('missing_credentials', 'A credential is needed.');
  }),
  {
    price: 0,
    listing: {
      name: 'json_schema_2020_12_tool',
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
    },
    call: () => Promise.resolve({ members: closed('"content":[]') }),
  },
];

/** The resources that it asks for. */
export const CONFORMANCE_RESOURCES: readonly Resource[] = [
  {
    listing: { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
    read: () => ({ text: 'This is the content of the static text resource.' }),
  },
  {
    listing: { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
    read: () => ({ blob: PIXEL }),
  },
];

function tool(name: string, content: (call: ToolCall) => unknown[]): Tool {
  return {
    price: 0,
    listing: { name, description: `Conformance fixture ${name}.`, inputSchema: { type: 'object' } },
    call: async (call) => Promise.resolve({ members: closed(`"content":${JSON.stringify(content(call))}`) }),
  };
}

function resource(uri: string, mimeType: string, text: string): object {
  return { type: 'resource', resource: { uri, mimeType, text } };
}
