import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { ROOT } from './root.ts';

export interface Import {
  from: string;
  to: string;
  /** Erased before the program runs. An import of types in braces only is not: the module is still loaded. */
  typeOnly: boolean;
}

const SYNTAX: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
export const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();
export const sources: ReadonlyMap<string, ts.SourceFile> = new Map(
  files.map((file) => [file, ts.createSourceFile(file, readFileSync(ROOT + file, 'utf8'), SYNTAX, true)]),
);
/** Our own modules that each file imports. */
export const imports: readonly Import[] = files.flatMap((file) =>
  specifiersOf(file)
    .filter(({ to }) => to.startsWith('.'))
    .map((one) => ({ ...one, to: join(dirname(file), one.to) })),
);

/** Whatever a file imports, as it says it. */
export function specifiersOf(file: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier !== undefined && ts.isStringLiteral(specifier))
      found.push({ from: file, to: specifier.text, typeOnly });
  };
  visitNodes(file, (node) => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
  });
  return found;
}

/** Shows every node of a file. */
export function visitNodes(file: string, see: (node: ts.Node) => void): void {
  const visit = (node: ts.Node) => {
    see(node);
    ts.forEachChild(node, visit);
  };
  const source = sources.get(file);
  if (source !== undefined) visit(source);
}

/** Names of all calls in a file: `recordAudit`, or the last part of a member call, such as `pool.begin`. */
export function callsOf(file: string): string[] {
  const found: string[] = [];
  visitNodes(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    if (ts.isIdentifier(node.expression)) found.push(node.expression.text);
    if (ts.isPropertyAccessExpression(node.expression))
      found.push(`${lastName(node.expression.expression)}.${node.expression.name.text}`);
  });
  return found;
}

function lastName(node: ts.Node): string {
  return /[\w$]+$/.exec(node.getText())?.[0] ?? '';
}
