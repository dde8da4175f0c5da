import { createRequire } from 'node:module';

/** Throws unless a package whose internals we use has the version that our code was written for. */
export function assertPackageVersion(name: string, writtenFor: string, from: string): void {
  const { version } = createRequire(from)(`${name}/package.json`) as { version: string };
  if (version !== writtenFor)
    throw new Error(
      `${name} ${version} is installed, but the code that uses its internals was written for ${writtenFor}. ` +
        'docs/decisions/0014-internal-files-of-libraries.md says what to check before the version is changed.',
    );
}
