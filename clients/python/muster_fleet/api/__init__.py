# Written by `npm run proto` from the table in src/contract. Do not edit.
