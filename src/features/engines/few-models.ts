import type { EnginesAnswer } from "#contract/index.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { openSession } from "#src/features/session/actor.ts";

/** The engine that comes with the product. */
const builtIn = "pocketsphinx";

/** Nothing hears but what comes with the product. */
export const hasFewModels = ({ speech: { engines } }: EnginesAnswer): boolean =>
  engines.filter(({ available }) => available).every(({ id }) => id === builtIn);

const isSuperuser = () => selectUser(openSession().getSnapshot())?.isSuperUser === true;

/** Whether a superuser should hear of the models. Found out when it is first shown; nothing is said of a failure. */
export function createFewModels(load: () => Promise<EnginesAnswer>, mayInstall: () => boolean): ReadableStore<boolean> {
  const store = createStore(false);
  return {
    get: store.get,
    subscribe: (listener) => {
      if (mayInstall())
        void load().then(
          (engines) => store.set(hasFewModels(engines)),
          () => {},
        );
      return store.subscribe(listener);
    },
  };
}

export const fewModels = createFewModels(() => import("./actor.ts").then((engines) => engines.loadEngines()), isSuperuser);
