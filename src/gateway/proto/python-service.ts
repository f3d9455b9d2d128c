import type { DescService } from '@bufbuild/protobuf';
import { guidanceOf, type Operation, toolName } from '#contract/operation.ts';
import { docText, header, moduleOf } from './python-doc.ts';

/** The module of a service, with blocking and asynchronous methods. */
export function serviceText(service: DescService, rows: readonly Operation[]): string {
  const methods = (isAsync: boolean) =>
    service.methods.map((method) => {
      const row = rows.find(
        (one) => `${one.package}.${one.service}` === service.typeName && one.method === method.name,
      );
      if (row === undefined) throw new Error(`${service.typeName}/${method.name} is not in the table`);
      const doc = docText(`${row.summary}\n\n${guidanceOf(row)}`, 8);
      const path = `"${service.typeName}/${method.name}"`;
      const [input, output] = [method.input.name, method.output.name];
      if (method.methodKind === 'server_streaming') {
        const answers = isAsync
          ? `AsyncGenerator[messages.${output}, None]`
          : `Generator[messages.${output}, None, None]`;
        return `    def ${toolName(row)}(self, request: messages.${input}) -> ${answers}:\n${doc}        return self._watch(${path}, request, messages.${output})\n`;
      }
      return `    ${isAsync ? 'async ' : ''}def ${toolName(row)}(self, request: messages.${input}, timeout: float = 30.0) -> messages.${output}:\n${doc}        return ${isAsync ? 'await ' : ''}self._call(${path}, request, messages.${output}, timeout)\n`;
    });
  const module = moduleOf(service.file);
  return `${header}
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import ${module} as messages


class ${service.name}(Service):
    """The operations of ${service.typeName}. Watches resume from their cursor after a cut."""

${methods(false).join('\n')}

class Async${service.name}(AsyncService):
    """The operations of ${service.typeName}, for asyncio. Watches resume from their cursor after a cut."""

${methods(true).join('\n')}`;
}
