import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

const onePlace = (): string => '';

/**
 * Something that is done once at a time: asked for again before it is answered, as by a key that is pressed twice, it
 * is not done a second time. If `placeOf` is given, that holds for each place on its own.
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
