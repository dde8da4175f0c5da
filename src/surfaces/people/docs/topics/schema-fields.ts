import { html, type Html } from '../../../../core/text/html.ts';
import { SENTENCES_KEYWORD } from '../../../../protocol/describe/closed-sets.ts';
import {
  codeSpan,
  escapeMarkdown,
  foldedContent,
  inlineHtml,
  markdownBlocks,
  type Content,
} from '../content.ts';
import { resolve, type OpenApiDocument, type Schema } from './openapi-document.ts';

/** Maximum depth. Deeper levels are left to openapi.json: nobody reads a fifth level of indentation. */
const DEPTH_MAX = 4;

export interface SchemaField {
  path: string;
  schema: Schema;
  required: boolean;
  description?: string | undefined;
}

/** Lists every field of an object schema in reading order, nested ones by their full path. */
export function fieldsOf(document: OpenApiDocument, schema: Schema, prefix = '', depth = 0): SchemaField[] {
  const { properties = {}, required = [] } = flatten(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const own = flatten(document, property);
    const field = { path, schema: own, required: required.includes(name), description: own.description };
    return depth + 1 < DEPTH_MAX ? [field, ...inner(document, own, path, depth + 1)] : [field];
  });
}

function inner(document: OpenApiDocument, schema: Schema, path: string, depth: number): SchemaField[] {
  if (schema.items !== undefined) return fieldsOf(document, schema.items, `${path}[].`, depth);
  return fieldsOf(document, schema, `${path}.`, depth);
}

/** Follows references, merges allOf, and unwraps an alternative whose only other choice is null. */
function flatten(document: OpenApiDocument, schema: Schema): Schema {
  const { items, ...rest } = resolve(document, schema);
  const own: Schema = items === undefined ? rest : { ...rest, items: flatten(document, items) };
  const parts = (own.allOf ?? []).map((part) => flatten(document, part));
  const merged = parts.reduce<Schema>(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    }),
    own,
  );
  const choices = (merged.anyOf ?? merged.oneOf ?? []).map((choice) => resolve(document, choice));
  const [only, ...others] = choices.filter(({ type }) => type !== 'null');
  if (only === undefined) return merged;
  if (others.length > 0) return { ...merged, anyOf: choices };
  const outer = { ...merged };
  delete outer.anyOf;
  delete outer.oneOf;
  return { ...only, ...outer, type: [typeName(only), 'null'] };
}

/** A list of fields under a heading. Without fields it is empty. */
export function fieldSection(title: string, fields: readonly SchemaField[]): Content {
  if (fields.length === 0) return NOTHING;
  return {
    html: html`<h3>${title}</h3>
      ${fieldList(fields)}`,
    markdown: markdownBlocks([`### ${title}`, fieldMarkdown(fields)]),
  };
}

/** A list of fields that the reader unfolds. Without fields it is empty. */
export function foldedFields(title: string, fields: readonly SchemaField[]): Content {
  if (fields.length === 0) return NOTHING;
  return foldedContent(title, { html: fieldList(fields), markdown: fieldMarkdown(fields) });
}

const NOTHING: Content = { html: html``, markdown: '' };

/** Renders a list of fields: name, type, whether it is required, limits and meaning. */
function fieldList(fields: readonly SchemaField[]): Html {
  return html`<ul class="fields">
    ${fields.map(({ path, schema, required, description }) => {
      const limits = limitsOf(schema);
      return html`<li>
        <p class="name">
          <code>${path}</code>
          <span class="soft">${typeName(schema)}</span
          >${required && html` <span class="required">required</span>`}
        </p>
        ${description !== undefined && html`<p>${description}</p>`}${sentenceList(schema)}${
          limits !== '' && html`<p class="soft">${inlineHtml(limits)}</p>`
        }
      </li>`;
    })}
  </ul>`;
}

/** Writes the same list as Markdown, each field with its text indented below it. */
function fieldMarkdown(fields: readonly SchemaField[]): string {
  const items = fields.map(({ path, schema, required, description }) => {
    const values = Object.entries(sentencesIn(schema) ?? {}).map(
      ([value, sentence]) => `- ${codeSpan(value)}: ${escapeMarkdown(sentence)}`,
    );
    const item = markdownBlocks([
      `- ${codeSpan(path)} ${typeName(schema)}${required ? ' **required**' : ''}`,
      description === undefined ? undefined : escapeMarkdown(description),
      values.join('\n'),
      limitsOf(schema),
    ]);
    return item.replaceAll(/\n(?=.)/g, '\n  ');
  });
  return items.join('\n');
}

/** Lists the values of an enum with their descriptions. */
function sentenceList(schema: Schema): Html | null {
  const sentences = sentencesIn(schema);
  if (sentences === undefined) return null;
  return html`<ul class="values">
    ${Object.entries(sentences).map(([value, sentence]) => html`<li><code>${value}</code>: ${sentence}</li>`)}
  </ul>`;
}

/** Returns the enum descriptions of a schema, also from array items and alternatives. */
function sentencesIn(schema: Schema): Record<string, string> | undefined {
  const inner = [...(schema.items === undefined ? [] : [schema.items]), ...(schema.anyOf ?? [])];
  if (schema[SENTENCES_KEYWORD] !== undefined) return schema[SENTENCES_KEYWORD];
  const nested = inner.map(sentencesIn).filter((sentences) => sentences !== undefined);
  return nested.length === 0 ? undefined : (Object.assign({}, ...nested) as Record<string, string>);
}

function typeName(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeName).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return `array of ${typeName(schema.items ?? {})}`;
  if (schema.type !== undefined) return schema.type;
  const literals = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (literals.length > 0) return [...new Set(literals.map((value) => typeof value))].join(' or ');
  return schema.$ref === undefined ? 'any' : 'object';
}

/** Describes the limits of a value, as Markdown. */
function limitsOf(schema: Schema): string {
  const limits = [
    values(schema),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.format,
    schema.pattern === undefined ? undefined : `matches ${codeSpan(schema.pattern)}`,
    schema.default === undefined ? undefined : `default ${codeSpan(JSON.stringify(schema.default))}`,
  ];
  return limits.filter((limit) => limit !== undefined).join('; ');
}

function values(schema: Schema): string | undefined {
  if (schema[SENTENCES_KEYWORD] !== undefined) return undefined;
  const literals = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (literals.length === 0) return undefined;
  const spans = literals.map((value) => codeSpan(typeof value === 'string' ? value : JSON.stringify(value)));
  return `${literals.length > 1 ? 'one of ' : ''}${spans.join(', ')}`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined && least > 0) return `at least ${least}${unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}
