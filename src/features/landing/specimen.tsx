import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./landing.module.css";

type Live = typeof import("./live-specimen.tsx");

/** A demonstration: a recording that is transcribed and translated while it plays. */
export function Specimen() {
  const { t } = useTranslation();
  const [live, setLive] = useState<Live | null>(null);
  const play = async () => {
    const loaded = await import("./live-specimen.tsx");
    loaded.startDemonstration();
    setLive(loaded);
  };
  return (
    <figure className={styles.specimen}>
      <figcaption>{t("landing.example")}</figcaption>
      {live ? <live.LiveLines /> : <StillLines />}
      <div className={styles.demoControls}>
        {live ? (
          <live.LiveControls />
        ) : (
          <span className="needsScript">
            <Button icon="play" onClick={() => void play()}>
              {t("landing.demo.play")}
            </Button>
          </span>
        )}
        <span className={styles.small}>{t("landing.demo.honest")}</span>
      </div>
    </figure>
  );
}

/** The content of public/demo/jfk.json until play is pressed. */
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
          <span className={styles.time}>{time}</span>
          <p lang="en">{said}</p>
          <p lang="es" className={styles.meant}>
            {meant}
          </p>
        </li>
      ))}
    </ol>
  );
}
