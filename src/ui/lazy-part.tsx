import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from "react";
import { loadTexts } from "#src/i18n/index.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A component that is loaded when it is first rendered. @param texts the namespaces to load with it */
export function awaitedPart<Props>(load: Load<Props>, ...texts: string[]) {
  return lazy(async () => {
    const [part] = await Promise.all([load(), ...texts.map(loadTexts)]);
    return { default: part };
  });
}

/** The same, but renders nothing until it is loaded, or if it can't be loaded without a network. */
export function lazyPart<Props extends object>(load: Load<Props>, ...args: string[]): (props: Props) => ReactNode {
  const Part = awaitedPart<Props>(() => load().catch(() => () => null), ...args);
  return (props) => <Suspense fallback={null}>{createElement(Part, props)}</Suspense>;
}
