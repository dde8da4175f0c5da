import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parseConfig } from '../../../src/config.ts';
import { ERRORS } from '../../../src/core/errors.ts';
import { openApiDocument } from '../../../src/protocol/describe/openapi.ts';
import { OPERATIONS, OUTGOING_EVENTS } from '../../../src/surfaces/operations.ts';
import { operationsModule, type Described } from './operations-module.ts';

const FOLDER = new URL('../src/generated/', import.meta.url);

/** Generates files of the client from the service's own description: file names and their texts. */
export async function generatedFiles(): Promise<Map<URL, string>> {
  const document: unknown = openApiDocument(parseConfig({}), OPERATIONS, OUTGOING_EVENTS);
  const typed = structuredClone(document) as OpenAPI3;
  typeAlternatives(typed);
  explainValues(typed);
  const types = astToString(await openapiTS(typed, { defaultNonNullable: false }));
  const texts = { 'api.ts': types, 'operations.ts': operationsModule(document as Described, ERRORS) };
  const options = await resolveConfig(FOLDER);
  const files = new Map<URL, string>();
  for (const [name, text] of Object.entries(texts)) {
    const note = '// Made by `npm run client` from the operations of the service. Do not edit it.\n\n';
    files.set(new URL(name, FOLDER), await format(note + text, { ...options, parser: 'typescript' }));
  }
  return files;
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  anyOf?: { required?: string[] }[];
}

/** Alternatives that only name required members are types of their own beside the object that they belong to. */
function typeAlternatives(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const value of Object.values(node)) typeAlternatives(value);
  const { anyOf, ...object } = node as ObjectSchema;
  const { properties } = object;
  if (properties === undefined || !Array.isArray(anyOf)) return;
  const alternatives = anyOf.map(({ required = [] }) => ({
    type: 'object',
    required,
    properties: Object.fromEntries(required.map((name) => [name, properties[name]])),
  }));
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  Object.assign(node, { allOf: [object, { anyOf: alternatives }] });
}

/** Editors show the description of a type: the sentences of its values belong there. */
function explainValues({ components }: OpenAPI3): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    const { 'x-enumDescriptions': sentences, ...rest } = schema as {
      'x-enumDescriptions'?: Record<string, string>;
    };
    if (sentences === undefined) continue;
    const lines = Object.entries(sentences).map(([value, sentence]) => `- ${value}: ${sentence}`);
    Object.assign(schema, rest, { description: lines.join('\n') });
  }
}

if (import.meta.main) for (const [file, text] of await generatedFiles()) await writeFile(file, text);
