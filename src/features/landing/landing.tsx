import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageFact } from "#src/browser/server-rendered.ts";
import { isTryLeft } from "#src/browser/try-left.ts";
import { LanguagesHere } from "#src/features/engines/languages-here.tsx";
import { useSignedInHint } from "#src/features/session/token-hint.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { useHydration } from "#src/ui/hydration.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./landing.module.css";
import { Pricing } from "./pricing.tsx";

/** Loaded when the visitor starts speaking, or has left a recording behind. */
const loadTryOut = async () => {
  const [panel] = await Promise.all([import("#src/features/tryout/panel.tsx"), loadTexts("tryout"), loadTexts("app")]);
  return panel;
};
const TryOutPanel = lazy(async () => ({ default: (await loadTryOut()).TryOutPanel }));

const information = ["blog", "waitlist", "terms", "privacy", "about", "contact"] as const;

/** The landing page: an overview of Parlance. */
export function Landing() {
  useHydration();
  const { t } = useTranslation();
  const signedIn = useSignedInHint();
  const [trying, setTrying] = useState<"left" | "pressed" | null>(() => (isTryLeft() ? "left" : null));
  const mayTry = Boolean(pageFact("tries"));
  const speak = () => {
    setTrying("pressed");
    // If loading fails, the panel says so.
    loadTryOut().then(
      ({ beginSpeaking }) => beginSpeaking(),
      () => {},
    );
  };
  return (
    <div className={styles.landing}>
      <section className={styles.hero}>
        <div className={`stack gap-5 ${styles.words}`}>
          <h1 tabIndex={-1}>{t("landing.title")}</h1>
          <p className={`soft size-3 ${styles.lead}`}>{t("landing.lead")}</p>
          <div className="row gap-4">
            <span className="forSignedIn">
              <Link className={buttonClass("primary")} to="/speech-to-text">
                <Icon name="microphone" />
                {t("landing.start")}
              </Link>
            </span>
            <span className="forVisitors">
              {mayTry && !trying ? (
                <span className="needsScript">
                  <Button look="primary" icon="microphone" onClick={speak}>
                    {t("landing.start")}
                  </Button>
                </span>
              ) : null}
              <Link className={buttonClass(mayTry ? "secondary" : "primary")} to="/signup">
                {t("titles.signUp")}
              </Link>
            </span>
            <span className={`fine ${styles.small}`}>{t(mayTry && !signedIn ? "landing.tryHint" : "landing.startHint")}</span>
          </div>
          <LanguagesHere />
        </div>
        {trying && !signedIn ? (
          <Suspense fallback={<Specimen />}>
            <TryOutPanel focused={trying === "pressed"} />
          </Suspense>
        ) : (
          <Specimen />
        )}
      </section>

      <Features />
      <Promises />
      <Pricing />
      <footer className={`row apart fine ${styles.footer}`}>
        {t("landing.footer")}
        <nav className="links">
          {information.map((page) => (
            <Link key={page} to={`/${page}`}>
              {t(`titles.${page}`)}
            </Link>
          ))}
        </nav>
      </footer>
    </div>
  );
}

const features = [
  { key: "live", icon: "microphone" },
  { key: "files", icon: "upload" },
  { key: "translate", icon: "translate" },
  { key: "correct", icon: "edit" },
] as const;

function Features() {
  const { t } = useTranslation();
  return (
    <section id="features" className={`stack gap-5 ${styles.section}`} aria-labelledby="features-title">
      <h2 id="features-title" className="size-5">
        {t("landing.features.title")}
      </h2>
      <ul className={styles.features}>
        {features.map(({ key, icon }) => (
          <li key={key}>
            <Icon name={icon} />
            <h3 className="size-3">{t(`landing.features.${key}.title`)}</h3>
            <p>{t(`landing.features.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const promises = ["heard", "kept", "deleted", "locked"] as const;

function Promises() {
  const { t } = useTranslation();
  return (
    <section className={styles.promise} aria-labelledby="promise-title">
      <div>
        <h2 id="promise-title" className="size-5">
          {t("landing.promise.title")}
        </h2>
        <p>{t("landing.promise.text")}</p>
      </div>
      <dl>
        {promises.map((promise) => (
          <div key={promise}>
            <dt>{t(`landing.promise.${promise}.name`)}</dt>
            <dd>{t(`landing.promise.${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Live = typeof import("./live-specimen.tsx");

/** A demonstration: a recording that is transcribed and translated while it plays. */
function Specimen() {
  const { t } = useTranslation();
  const [live, setLive] = useState<Live | null>(null);
  const play = async () => {
    const loaded = await import("./live-specimen.tsx");
    loaded.startDemonstration();
    setLive(loaded);
  };
  return (
    <figure className={`card pad-5 ${styles.specimen}`}>
      <figcaption>{t("landing.example")}</figcaption>
      {live ? <live.LiveLines /> : <StillLines />}
      <div className={`row gap-4 ${styles.demoControls}`}>
        {live ? (
          <live.LiveControls />
        ) : (
          <span className="needsScript">
            <Button icon="play" onClick={() => void play()}>
              {t("landing.demo.play")}
            </Button>
          </span>
        )}
        <span className={`fine ${styles.small}`}>{t("landing.demo.honest")}</span>
      </div>
    </figure>
  );
}

/** The content of public/demo/jfk.json, shown until the visitor presses play. */
const lines = [
  { time: "0:00", said: "And so my fellow Americans", meant: "Y así que mis americanos amigos" },
  { time: "0:03", said: "ask not", meant: "pide no" },
  { time: "0:05", said: "what your country can do for you,", meant: "qué vuestro país puede hacer para ti," },
  {
    time: "0:08",
    said: "ask what you can do for your country.",
    meant: "pedir qué puedes hacer para vuestro país.",
  },
] as const;

function StillLines() {
  return (
    <ol>
      {lines.map(({ time, said, meant }) => (
        <li key={time}>
          <span className={`fine digits ${styles.time}`}>{time}</span>
          <p lang="en">{said}</p>
          <p lang="es" className={`soft size-2 ${styles.meant}`}>
            {meant}
          </p>
        </li>
      ))}
    </ol>
  );
}
