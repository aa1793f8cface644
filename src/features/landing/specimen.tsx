import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./landing.module.css";

/** The content of public/demo/bridge.json until play is pressed: inlined, so that the first visit loads nothing more. */
const lines = [
  {
    time: "0:00",
    said: "The bridge was built more than a hundred years ago",
    meant: "El puente estuvo construido más de hace cien años",
  },
  {
    time: "0:04",
    said: "It was a good day for everyone in the village",
    meant: "Era un día bueno para todo el mundo en el pueblo",
  },
  { time: "0:07", said: "Nobody knew what would happen next", meant: "Nadie supo lo que pasaría luego" },
] as const;

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
