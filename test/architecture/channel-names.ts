import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { CHANNELS } from '../../src/bookings/channels/channels.ts';
import { files, sources, visitNodes } from './source.ts';

const FOLDER = 'src/bookings/channels/';
const NAMES = new Set(CHANNELS.flatMap(({ name, shownAs }) => [name, shownAs.name]));

/**
 * Other values with the same names: the booking method or route of a place, its contact fields, who moves a booking,
 * the roles of staff.
 */
const OTHER_VALUES = /(^|_)(method|route|field|actor|by|madeBy|role)$/;

const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);
const IN_SQL = new RegExp(`(\\w+)\\s*(?:=|<>|!=|in\\s*\\()\\s*'(${[...NAMES].join('|')})'`, 'g');

function isName(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && NAMES.has(node.text);
}

/** True unless the last name of the expression says that it holds something else than a channel. */
function mayBeChannel(expression: ts.Node): boolean {
  return !OTHER_VALUES.test(/[\w$]+$/.exec(expression.getText())?.[0] ?? '');
}

/** True for a comparison of a channel with the name of one: by an operator, in a case clause, or in SQL. */
function comparesChannel(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind))
    return (isName(node.right) && mayBeChannel(node.left)) || (isName(node.left) && mayBeChannel(node.right));
  if (ts.isCaseClause(node)) return isName(node.expression) && mayBeChannel(node.parent.parent.expression);
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return [...node.getText().matchAll(IN_SQL)].some(([, column = '']) => !OTHER_VALUES.test(column));
  return false;
}

test('only the folder of the channels compares with the name of a channel', () => {
  const comparisons: string[] = [];
  for (const file of files.filter((one) => !one.startsWith(FOLDER)))
    visitNodes(file, (node) => {
      if (!comparesChannel(node)) return;
      const line = sources.get(file)?.getLineAndCharacterOfPosition(node.getStart()).line ?? 0;
      comparisons.push(`${file}:${line + 1}: ${node.getText().slice(0, 80)}`);
    });
  assert.deepEqual(
    comparisons,
    [],
    `Declare the difference in the object of each channel (${FOLDER}channel.ts) and read it there, with channelNamed() or isChannelKind().`,
  );
});

test('every channel has its own name, in the form that the database requires, and the desk is the last one', () => {
  const names = CHANNELS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const name of names) assert.match(name, /^[a-z][a-z_]{0,30}$/);
  assert.deepEqual(
    CHANNELS.filter(({ kind }) => kind === 'staff').map(({ name }) => name),
    names.slice(-1),
  );
});
