#!/usr/bin/env node
// Starts the command line: src/cli.ts in a checkout, src/cli.js in the package. In the words of old versions of Node, so that they can say
// what is missing.
'use strict';
var fs = require('fs');
var path = require('path');

var NEEDED = [22, 19];
var found = process.versions.node.split('.').map(Number);
if (found[0] < NEEDED[0] || (found[0] === NEEDED[0] && found[1] < NEEDED[1])) {
  console.error('This is Node ' + process.versions.node + '. invitation-trigger needs Node ' + NEEDED.join('.') + ' or newer.');
  process.exit(1);
}
var compiled = path.join(__dirname, '../src/cli.js');
var file = fs.existsSync(compiled) ? compiled : path.join(__dirname, '../src/cli.ts');
import(require('url').pathToFileURL(file).href).then(function (cli) {
  return cli.main();
});
