import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parseConfig } from '../../../src/config.ts';
import { ERRORS } from '../../../src/core/errors.ts';
import { openApiDocument } from '../../../src/protocol/describe/openapi.ts';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { operationsModule, type Described } from './operations-module.ts';

const FOLDER = new URL('../src/generated/', import.meta.url);

/** What of the client is made from the service's own description: file names and their texts. */
export async function generatedFiles(): Promise<Map<URL, string>> {
  const document: unknown = openApiDocument(parseConfig({}), OPERATIONS);
  const types = astToString(await openapiTS(document as OpenAPI3, { defaultNonNullable: false }));
  const texts = { 'api.ts': types, 'operations.ts': operationsModule(document as Described, ERRORS) };
  const options = await resolveConfig(FOLDER);
  const files = new Map<URL, string>();
  for (const [name, text] of Object.entries(texts)) {
    const note = '// Made by `npm run client` from the operations of the service. Do not edit it.\n\n';
    files.set(new URL(name, FOLDER), await format(note + text, { ...options, parser: 'typescript' }));
  }
  return files;
}

if (import.meta.main) for (const [file, text] of await generatedFiles()) await writeFile(file, text);
