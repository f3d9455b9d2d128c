import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

const onePlace = (): string => '';

/**
 * Runs an act once at a time: a repeated request before the answer, such as a key pressed twice, is ignored. With
 * `placeOf`, this applies to each place separately.
 */
export function useOneAct<Answer, Asked = void>(
  options: UseMutationOptions<Answer, Error, Asked>,
  placeOf: (asked: Asked) => string = onePlace,
) {
  const underWay = useRef(new Set<string>());
  const { mutate, ...rest } = useMutation<Answer, Error, Asked>({
    ...options,
    async onSettled(...settled) {
      try {
        await options.onSettled?.(...settled);
      } finally {
        underWay.current.delete(placeOf(settled[2]));
      }
    },
  });
  const begin = useCallback(
    (asked: Asked, more: MutateOptions<Answer, Error, Asked> = {}): void => {
      const place = placeOf(asked);
      if (underWay.current.has(place)) return;
      underWay.current.add(place);
      mutate(asked, more);
    },
    [mutate, placeOf],
  );
  const { data, error, isPending, reset } = rest;
  return { mutate: begin, data, error, isPending, reset };
}
