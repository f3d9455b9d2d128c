import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { expect } from 'chai';
import { z } from 'zod';
import { enumeration, explicitBoolean, message } from '#contract/message.ts';
import { type Operation, operation } from '#contract/operation.ts';
import { declaredTypes } from '#contract/parse/declared-type.ts';
import { operations, resources } from '#contract/table.ts';
import { describeTable, methodOf } from '#gateway/proto/descriptors.ts';
import { protoTexts } from '#gateway/proto/proto-text.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const committed = join(root, 'proto');
const registry = describeTable(operations, resources);

const row = (method: string, request: z.ZodObject, more: Partial<Operation> = {}): Operation =>
  operation({
    package: 'test.v1',
    service: 'TestService',
    method,
    summary: 'Tests.',
    guidance: 'None.',
    request,
    response: message(`test.v1.${method}Response`, {}),
    access: 'read',
    idempotent: true,
    roles: [],
    ...more,
  });

describe('the descriptors made from the table', () => {
  it('contain every operation, with its request and response', () => {
    for (const one of operations) {
      const method = methodOf(registry, one);
      expect(method.methodKind).to.equal(one.watch === undefined ? 'unary' : 'server_streaming');
      const level = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
      expect(method.idempotency === level, one.method).to.equal(one.access === 'read');
    }
  });

  it('number fields as declared and enum values by their place', () => {
    const agent = registry.getMessage('agent.v1.Agent');
    expect(agent?.field['stateReason']).to.include({ number: 34, jsonName: 'stateReason', name: 'state_reason' });
    const view = registry.getEnum('shared.v1.View');
    expect(view?.values.map(({ name, number }) => [name, number])).to.deep.equal([
      ['VIEW_UNSPECIFIED', 0],
      ['VIEW_SUMMARY', 1],
      ['VIEW_FULL', 2],
    ]);
  });

  it('distinguish false from unset only as the table declares', () => {
    const request = registry.getMessage('agent.v1.CreateAgentRequest');
    expect(request?.field['provisionEnabled']?.proto.proto3Optional).to.equal(true);
    expect(registry.getMessage('agent.v1.ListAgentsRequest')?.field['archived']?.proto.proto3Optional).to.equal(false);
  });

  it('contain resources that no operation carries yet', () => {
    for (const name of ['agent.v1.ReviewThread', 'forge.v1.ForgePullRequest', 'schedule.v1.ScheduleRun']) {
      expect(registry.getMessage(name), name).not.to.equal(undefined);
    }
    expect(registry.getMessage('schedule.v1.ScheduleRun')?.field['scheduledFor']?.message?.typeName).to.equal(
      'google.protobuf.Timestamp',
    );
  });

  it('are the files of proto/, which `npm run proto` writes', () => {
    const texts = protoTexts(registry, operations, declaredTypes(operations, resources));
    const files = readdirSync(committed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.proto'),
    );
    expect(files.sort()).to.deep.equal([...texts.keys()].sort());
    for (const [path, text] of texts) {
      expect(
        readFileSync(join(committed, path), 'utf8') === text,
        `${path} is out of date: run npm run proto`,
      ).to.equal(true);
    }
  });

  it('refuse a contradictory table', () => {
    const request = (name: string, fields: Parameters<typeof message>[1]) => message(`test.v1.${name}`, fields);
    const wrong: Record<string, readonly Operation[]> = {
      'is taken': [row('A', request('ARequest', { a: [1, z.string(), 'A.'], b: [1, z.string(), 'B.'] }))],
      'has no protobuf type': [row('A', request('ARequest', { a: [1, z.date(), 'A.'] }))],
      'is in the table twice': [row('A', request('ARequest', {})), row('A', request('ARequest', {}))],
      'declared twice': [row('A', request('Same', {})), row('B', request('Same', { a: [1, z.string(), 'A.'] }))],
      'need each other': [
        row(
          'A',
          request('ARequest', { a: [1, message('other.v1.B', { c: [1, message('test.v1.C', {}), 'C.'] }), 'A.'] }),
        ),
      ],
    };
    for (const [why, rows] of Object.entries(wrong)) expect(() => describeTable(rows, []), why).to.throw(why);
  });

  it('print optional, repeated, empty, streamed and imported types as protobuf does', () => {
    const long = `${'What it is painted with. '.repeat(5)}`.trim();
    const Colour = enumeration('other.v1.Colour', { COLOUR_UNSPECIFIED: 'Any.', COLOUR_RED: 'That of blood.' });
    const request = message('test.v1.WatchRequest', {
      redOnly: [3, explicitBoolean(), 'Whether nothing else is painted.'],
      colours: [4, z.array(Colour), long],
    });
    const rows = [row('Watch', request, { watch: { facts: '' } })];
    const text = protoTexts(describeTable(rows, []), rows, declaredTypes(rows, [])).get('test/v1/test.proto');
    expect(text).to.contain('import "other/v1/other.proto";');
    expect(text).to.contain('rpc Watch(WatchRequest) returns (stream WatchResponse) {');
    expect(text).to.contain(
      [
        '  // Whether nothing else is painted.',
        '  optional bool red_only = 3;',
        `  // ${long.slice(0, 99)}`,
        `  // ${long.slice(100)}`,
        '  repeated other.v1.Colour colours = 4;',
      ].join('\n'),
    );
    expect(text).to.contain('message WatchResponse {}');
  });
});
