/** Examples that are not pasted by these tests, each with its reason. A line is as printed, without its comment. */
export const NOT_RUN: readonly { like: RegExp; why: string }[] = [
  { like: /^docker /, why: 'there is no Docker where tests run' },
  { like: /^(claude|codex) mcp /, why: 'programs of others, which sign a person in' },
  {
    like: /^(useradd|install|systemctl|kubectl) |^cp deploy\//,
    why: 'they change the machine or ask a cluster; deployment-files.test.ts checks the files and settings they use',
  },
  {
    like: /^npm install \S/,
    why: 'the registry is not asked by tests; package.long.test.ts installs the client',
  },
  { like: /^(npm ci && )?npm (start|test)$|^npm ci$/, why: 'start-and-stop.test.ts starts the service so' },
  {
    like: /data\/metrics-token/,
    why: 'the service under test has another data folder; app.test.ts reads its token',
  },
  {
    like: /mail\/replies/,
    why: 'mail-replies.test.ts passes mails on to a service that has the mailbox and the secret',
  },
  { like: /^git pull/, why: 'it would change the checkout that is tested' },
  { like: /^cat >> \.env <</, why: 'it would change the checkout that is tested' },
  {
    like: /^(DATA_DIR=\S+ )?npx waypost (backup|restore) /,
    why: 'demonstration.test.ts of backups makes, verifies and restores one',
  },
  {
    like: /^npx waypost (privacy|doctor|support-bundle)( |$)/,
    why: 'privacy, doctor and support-bundle.test.ts run them on an installation with such people and a log',
  },
  {
    like: /--outline mdina\.geojson$/,
    why: 'import-command.test.ts and the page of destinations add one with an outline',
  },
  {
    like: /^npx waypost import (overture release|foursquare fsq)/,
    why: 'the tests of both readers import schema-true folders; these are gigabytes',
  },
  { like: /^npx waypost demo( |$)/, why: 'demo-directory.test.ts loads demonstrations; this one is in use' },
  { like: /^npx waypost drill /, why: 'kill-switch-drill.test.ts runs it on a service of its own' },
  {
    like: /^npm run (?!types)\w|^npm run format && |^npm test --? /,
    why: 'what CONTRIBUTING lists runs this very suite',
  },
];

/** Fenced texts that are not commands and are not run. */
export const NOT_CODE: readonly { like: RegExp; why: string }[] = [
  { like: /^places\.csv: \d+ columns/, why: 'the columns of a table, as the import prints them' },
  { like: /^User-Agent: /, why: 'a header' },
  { like: /^RateLimit-Policy: /, why: 'headers of an answer' },
  { like: /^\s+GET \/api\/agent/, why: 'a drawing' },
  { like: /^svc_\(live\|partner\)_/, why: 'a pattern, for scanners of secrets' },
];

/** Languages of fences that another program reads, and the test that holds them where there is one. */
export const NOT_OURS: Readonly<Record<string, string>> = {
  bash: 'one script in steps; rehearse.long.test.ts follows it',
  ini: 'systemd',
  yaml: 'Prometheus, or Compose',
  nginx: 'nginx; user-agent.test.ts reads the lists of user-agent-at-the-edge.md',
  ts: 'an excerpt, with … where something is left out',
};
