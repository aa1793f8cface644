import { useTranslation } from "react-i18next";
import styles from "./admin.module.css";
import type { AdminSection } from "./sections.ts";

export const users: AdminSection = {
  enter: () => <Users />,
  leave: () => {},
};

function Users() {
  const { t } = useTranslation("admin");
  return (
    <section className={styles.section} aria-labelledby="users">
      <h2 id="users">{t("sections.users")}</h2>
    </section>
  );
}
