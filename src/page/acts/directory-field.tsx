import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type InputHTMLAttributes, useId } from 'react';
import { failureText } from '#page/api/failure-text.ts';
import { hosts } from '#page/fleet/host-client.ts';

interface DirectoryFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly value: string;
  /** The host whose directories are suggested; undefined if there is none. */
  readonly hostId: string | undefined;
  readonly onPath: (path: string) => void;
}

/** A field for a path, with suggestions from the host's directories. */
export function DirectoryField({ value, hostId = '', onPath, ...input }: DirectoryFieldProps) {
  const list = useId();
  const isPath = /^(?:\/|~\/)/.test(value);
  const { data, error } = useQuery({
    queryKey: ['directories', hostId, value],
    queryFn: ({ signal }) => hosts.listDirectories({ hostId, path: value }, { signal }),
    enabled: isPath && hostId !== '',
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });
  const offered = isPath ? (data?.directories ?? []) : [];
  return (
    <>
      <input
        {...input}
        className="code"
        value={value}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onPath(target.value)}
      />
      <datalist id={list}>
        {offered.map(({ path, repository }) => (
          <option key={path} value={path}>
            {repository ? 'git repository' : ''}
          </option>
        ))}
      </datalist>
      {isPath && error !== null && <small role="status">{failureText(error)}</small>}
    </>
  );
}
