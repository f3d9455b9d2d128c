import { defineEntity, p } from '@mikro-orm/sql';

/** Something the installation remembers of itself, such as that its first workflow was made. */
export const SettingEntity = defineEntity({
  name: 'Setting',
  tableName: 'setting',
  properties: {
    name: p.string().primary(),
    value: p.text(),
  },
});
