// n8n's database driver, sqlite3 5.1.7, would download its binary from GitHub or compile it. This fork has the same
// interface and contains its binaries in the npm package, so no compiler is needed.
module.exports = require('@appthreat/sqlite3').default;
