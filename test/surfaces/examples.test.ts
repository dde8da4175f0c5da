import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTGOING_EVENTS, servedOperations } from '../../src/surfaces/operations.ts';

test('every example of an operation is valid input and exactly what its schema returns', () => {
  for (const { name, input, output, example, dryRun } of servedOperations({
    reserve: { keyOfUnkeyed: undefined },
  })) {
    assert.ok(input.safeParse(example.input).success, `input of ${name}`);
    for (const answer of [example.output, ...(dryRun === undefined ? [] : [dryRun.example])])
      assert.deepEqual(output.parse(answer), answer, name);
  }
});

test('every example of an event is exactly what its schema returns', () => {
  for (const { name, body, example } of OUTGOING_EVENTS) assert.deepEqual(body.parse(example), example, name);
});
